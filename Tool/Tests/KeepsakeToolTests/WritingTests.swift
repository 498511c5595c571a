import Foundation
import Keepsake
import SystemPackage
import Testing

@Suite("What writes") struct WritingTests {
  @Test("changes values inside dictionaries and arrays") func paths() async throws {
    try await withTemporaryDirectory { root in
      let set = try await Finished(
        "settings", "set", "app", "user", "Paris", "--at", "address", "--at", "city", "--type",
        "string", "--create", root: root)
      #expect(set.code == 0, "\(set.errors)")
      _ = try await Finished(
        "settings", "append", "app", "tags", "a", "--type", "string", root: root)
      _ = try await Finished("settings", "append", "app", "tags", "b", "c", root: root)
      _ = try await Finished("settings", "remove", "app", "tags", "--at", "1", root: root)
      let all = try await Finished("settings", "list", "app", root: root)
      #expect(
        all.output == """
          "tags" = ["a", "c"]
          "user" = {"address": {"city": "Paris"}}

          """)
      let city = try await Finished(
        "settings", "get", "app", "user", "--at", "address", "--at", "city", root: root)
      #expect(city.output == "Paris\n")
      let nowhere = try await Finished(
        "settings", "set", "app", "tags", "x", "--at", "9", "--type", "string", root: root)
      #expect(nowhere.code == 66)
      #expect(nowhere.errors.contains("the array has 2 elements; nothing was changed"))
    }
  }

  @Test("refuses what it cannot do with a code of its own, and changes nothing")
  func refused() async throws {
    try await withTemporaryDirectory { root in
      try await keepSomething(in: root)
      let before = try await Finished("settings", "export", "app", root: root)
      let refusals: [([String], String, Int32)] = [
        (["settings", "set", "app", "rating", "four"], "", 65),
        (["settings", "set", "app", "rating"], "", 64),
        (["settings", "set", "app", "new", "1"], "", 66),
        (["settings", "rename", "app", "rating", "tags"], "", 65),
        (["settings", "rename", "app", "none", "x"], "", 66),
        (["settings", "remove", "app", "rating", "none"], "", 66),
        (["settings", "reset", "app"], "", 64),
        (["settings", "frobnicate", "app"], "", 64),
        (["settings", "import", "app", "-"], "{\"a\": 1,\n \"b\": }", 65),
        (["settings", "import", "app", "-"], "[1]", 65),
        (["settings", "import", "app", "-"], "{\"a\": null}", 65),
        (["settings", "import", "app", "-"], "{\"a\": 1, \"a\": 2}", 65),
        (["settings", "import", "app", "-"], "<plist><dict><key>a</key>", 65),
        (["settings", "import", "app", "/none"], "", 66),
        (["settings", "set", "app", "rating", "-"], "\u{0}", 65),
      ]
      for (arguments, input, code) in refusals {
        let done = try await Finished(
          RunningTool.executable.path, arguments + ["--root", root.string],
          input: Array(input.utf8))
        #expect(done.code == code, "\(arguments): \(done.errors)")
        #expect(done.errors.hasPrefix("Error: "))
      }
      #expect(try await Finished("settings", "export", "app", root: root).output == before.output)
    }
  }

  @Test("says where a file that is imported is wrong") func place() async throws {
    try await withTemporaryDirectory { root in
      let done = try await Finished(
        "settings", "import", "app", "-", "--create", root: root,
        input: Array("{\"a\": 1,\n \"b\": }".utf8))
      #expect(done.errors.contains("(line 2, column 7); nothing was changed"), "\(done.errors)")
    }
  }

  @Test("exports what it imports, in each format", arguments: ["xml", "binary", "json"])
  func formats(_ format: String) async throws {
    try await withTemporaryDirectory { root in
      let text = """
        {"a": 1, "b": [true, 1.5, {"\u{1F600}": "\\u0000"}], "c": 18446744073709551615, "": ""}
        """
      let imported = try await Finished(
        "settings", "import", "app", "-", "--create", root: root, input: Array(text.utf8))
      #expect(imported.code == 0, "\(imported.errors)")
      let file = root.appending("exported")
      _ = try await Finished(
        "settings", "export", "app", file.string, "--format", format, root: root)
      let other = root.appending("other")
      let again = try await Finished(
        "settings", "import", "app", file.string, "--create", "--replace", root: other)
      #expect(again.code == 0, "\(again.errors)")
      let first = try await Finished("settings", "list", "app", root: root)
      #expect(try await Finished("settings", "list", "app", root: other).output == first.output)
      #expect(!first.output.isEmpty)
    }
  }

  @Test("keeps secrets, and takes them from the standard input alone") func secrets() async throws {
    try await withTemporaryDirectory { root in
      let key = root.appending("key")
      let digits = String(repeating: "0123456789abcdef", count: 4)
      try Data("\(digits)\n".utf8).write(to: URL(filePath: key.string))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key.string)
      func secrets(_ words: String..., input: String = "") async throws -> Finished {
        try await Finished(
          RunningTool.executable.path,
          ["secrets", words[0], "app"] + words.dropFirst()
            + ["--root", root.string, "--key-file", key.string], input: Array(input.utf8))
      }
      #expect(try await secrets("set", "token", input: "hunter2\n").code == 66)
      #expect(try await secrets("set", "token", "--create", input: "hunter2\n").code == 0)
      #expect(try await secrets("set", "list", "--json", input: "[1]").code == 0)
      #expect(try await secrets("get", "token").output == "hunter2\n")
      #expect(try await secrets("list").output == "list\ntoken\n")
      #expect(try await secrets("get", "none").code == 66)
      #expect(try await secrets("remove", "none").code == 66)
      #expect(try await secrets("set", "x", "--json", input: "[").code == 65)
      #expect(try await secrets("remove", "list").code == 0)
      #expect(try await secrets("list").output == "token\n")
      let other = try await Finished(
        "secrets", "list", "app", "--key-file", "/none", root: root)
      #expect(other.code == 77)
      let none = try await Finished("secrets", "list", "app", root: root)
      #expect(none.code == 64)
    }
  }

  @Test("brings documents back from the trash and from their versions")
  func documents() async throws {
    try await withTemporaryDirectory { root in
      try await keepSomething(in: root)
      let notes = try DocumentStore<Note>(
        directory: AppContainer(root: root, identifier: "app").documents, pathExtension: "note")
      _ = try notes.load("one")
      try notes.save(Note(id: "one", title: "Second"))
      let versions = try await Finished("documents", "versions", "app", "one", root: root)
      #expect(versions.output.hasPrefix("1: 2"), "\(versions.errors)")
      let restored = try await Finished(
        "documents", "restore", "app", "one", "--version", "1", root: root)
      #expect(restored.code == 0, "\(restored.errors)")
      #expect(try notes.load("one").title == "First")
      #expect(try await Finished("documents", "remove", "app", "one", root: root).code == 0)
      #expect(try await Finished("documents", "trash", "app", root: root).output == "one.note\n")
      #expect(try await Finished("documents", "show", "app", "one", root: root).code == 66)
      #expect(try await Finished("documents", "restore", "app", "one", root: root).code == 0)
      #expect(try notes.load("one").title == "First")
      let bad = AppContainer(root: root, identifier: "app").documents.appending("bad.note")
      try Data("{broken".utf8).write(to: URL(filePath: bad.string))
      let check = try await Finished("documents", "check", "app", root: root)
      #expect(check.code == 65)
      #expect(check.errors.contains("bad.note"))
    }
  }
}
