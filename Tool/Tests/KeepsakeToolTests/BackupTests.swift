import Foundation
import Keepsake
import SystemPackage
import Testing

@Suite("A backup") struct BackupTests {
  @Test("brings everything back that the app kept while it runs") func everything() async throws {
    try await withTemporaryDirectory { root in
      let (own, other) = (root.appending("own"), root.appending("other"))
      try await keepSomething(in: own)
      let container = AppContainer(root: own, identifier: "app")
      let running = try SettingsStore(container: container, arguments: [])
      // What is in a journal alone.
      try running.set(5, for: SettingsKey("rating", default: 0))
      // What is known of other machines is not of the documents' moment.
      let sharing = container.documents.appending("Sharing").string
      try FileManager.default.createDirectory(atPath: sharing, withIntermediateDirectories: false)
      try Data("known".utf8).write(to: URL(fileURLWithPath: sharing + "/note.plist"))
      let archive = root.appending("archive.tar")
      let backup = try await Finished("backup", "app", archive.string, root: own)
      #expect(backup.code == 0, "\(backup.errors)")
      let restore = try await Finished("restore", "app", archive.string, root: other)
      #expect(restore.code == 0, "\(restore.errors)")
      let restored = AppContainer(root: other, identifier: "app").documents.appending("Sharing")
      #expect(!FileManager.default.fileExists(atPath: restored.string))
      for command in [["settings", "list"], ["scenes"], ["documents", "show"]] {
        let arguments = command + ["app"] + (command.last == "show" ? ["one"] : [])
        let tool = RunningTool.executable.path
        let first = try await Finished(tool, arguments + ["--root", own.string])
        let second = try await Finished(tool, arguments + ["--root", other.string])
        #expect(first.output == second.output)
        #expect(!first.output.isEmpty)
      }
      let rating = try await Finished("settings", "get", "app", "rating", root: other)
      #expect(rating.output == "5\n")
      withExtendedLifetime(running) {}
    }
  }

  @Test("is an archive that tar reads and writes, with any names") func tar() async throws {
    try await withTemporaryDirectory { root in
      let own = root.appending("own")
      try await keepSomething(in: own)
      let notes = try DocumentStore<Note>(
        directory: AppContainer(root: own, identifier: "app").documents, pathExtension: "note")
      let long = "\u{1F600}" + String(repeating: "long ", count: 30)
      try notes.create(Note(id: long, title: "Long"))
      let archive = root.appending("archive.tar")
      _ = try await Finished("backup", "app", archive.string, root: own)
      let unpacked = root.appending("unpacked")
      try FileManager.default.createDirectory(
        atPath: unpacked.string, withIntermediateDirectories: false)
      let tar = try await Finished("/bin/tar", ["xf", archive.string, "-C", unpacked.string])
      #expect(tar.code == 0, "\(tar.errors)")
      // Unpacked it is a root of the app.
      let list = try await Finished("documents", "list", "app", root: unpacked)
      #expect(list.output.contains("\(long).note"))

      for format in ["gnu", "pax", "ustar"] {
        let packed = root.appending("\(format).tar")
        let names = format == "ustar" ? ["Documents/one.note"] : ["."]
        let pack = try await Finished(
          "/bin/tar", ["cf", packed.string, "--format", format, "-C", unpacked.string] + names)
        #expect(pack.code == 0, "\(pack.errors)")
        let target = root.appending("restored-\(format)")
        let restore = try await Finished("restore", "app", packed.string, root: target)
        #expect(restore.code == 0, "\(restore.errors)")
        let shown = try await Finished(
          "documents", "show", "app", "one", "--extension", "note", root: target)
        #expect(shown.output.contains("First"))
      }
    }
  }

  @Test("replaces nothing unless it is asked to") func replacing() async throws {
    try await withTemporaryDirectory { root in
      let own = root.appending("own")
      try await keepSomething(in: own)
      let archive = root.appending("archive.tar")
      _ = try await Finished("backup", "app", archive.string, root: own)
      _ = try await Finished("settings", "set", "app", "rating", "1", root: own)
      let refused = try await Finished("restore", "app", archive.string, root: own)
      #expect(refused.code == 73)
      #expect(try await Finished("settings", "get", "app", "rating", root: own).output == "1\n")
      let replaced = try await Finished("restore", "app", archive.string, "--replace", root: own)
      #expect(replaced.code == 0, "\(replaced.errors)")
      #expect(try await Finished("settings", "get", "app", "rating", root: own).output == "3\n")
    }
  }

  @Test("is restored to an app that was started since, and has stored nothing")
  func started() async throws {
    try await withTemporaryDirectory { root in
      let (own, other) = (root.appending("own"), root.appending("other"))
      try await keepSomething(in: own)
      let archive = root.appending("archive.tar")
      _ = try await Finished("backup", "app", archive.string, root: own)
      let container = AppContainer(root: other, identifier: "app")
      let settings = try SettingsStore(container: container, arguments: [])
      _ = try SceneSessions(container: container)
      _ = try DocumentStore<Note>(directory: container.documents, pathExtension: "note")
      let restore = try await Finished("restore", "app", archive.string, root: other)
      try #require(restore.code == 0, "\(restore.errors)")
      var ratings = settings.values(of: SettingsKey("rating", default: 0)).makeAsyncIterator()
      while try await ratings.next() != 3 {}
    }
  }

  @Test("that is damaged, or leads elsewhere, changes nothing") func damaged() async throws {
    try await withTemporaryDirectory { root in
      let own = root.appending("own")
      try await keepSomething(in: own)
      let archive = root.appending("archive.tar")
      _ = try await Finished("backup", "app", archive.string, root: own)
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: archive.string)))
      let target = root.appending("target")
      for count in stride(from: 0, to: bytes.count - 1024, by: 700) {
        let done = try await Finished(
          "restore", "app", "-", root: target, input: Array(bytes[..<count]))
        #expect(done.code == 65, "\(count) bytes")
      }
      // A negative size, and a record of a pax header that is shorter than its own length.
      for (type, size, content) in [("0", "-0000000001", ""), ("x", "00000000004", "2 a\n")] {
        var block = [UInt8](repeating: 0, count: 512)
        func put(_ text: String, at offset: Int) {
          for (index, byte) in text.utf8.enumerated() { block[offset + index] = byte }
        }
        put("Documents/a", at: 0)
        put(size, at: 124)
        put(type, at: 156)
        put("ustar", at: 257)
        let sum = block.reduce(8 * 0x20) { $0 + Int($1) }
        let octal = String(sum, radix: 8)
        put(String(repeating: "0", count: 6 - octal.count) + octal, at: 148)
        block[155] = 0x20
        var rest = Array(content.utf8)
        rest += [UInt8](repeating: 0, count: 512 - rest.count)
        let done = try await Finished("restore", "app", "-", root: target, input: block + rest)
        #expect(done.code == 65 || done.code == 0, "\(done.code)")
      }
      var changed = bytes
      changed[3] ^= 1
      #expect(
        try await Finished("restore", "app", "-", root: target, input: changed).code == 65)
      for name in [
        "../outside", "Documents/../../outside", "/etc/outside", "Library/Preferences/app.lock",
      ] {
        let packed = root.appending("packed.tar")
        try Data("x".utf8).write(to: URL(filePath: root.appending("x").string))
        let pack = try await Finished(
          "/bin/tar",
          ["cPf", packed.string, "-C", root.string, "--transform", "s,^x$,\(name),", "x"])
        #expect(pack.code == 0, "\(pack.errors)")
        let done = try await Finished("restore", "app", packed.string, root: target)
        #expect(done.code == 65, "\(name)")
      }
      #expect(!FileManager.default.fileExists(atPath: target.string))
    }
  }

  @Test("contains a scene that is in a journal alone") func scene() async throws {
    try await withTemporaryDirectory { root in
      let (own, other) = (root.appending("own"), root.appending("other"))
      let scenes = try SceneSessions(container: AppContainer(root: own, identifier: "app"))
      let scene = try scenes.session(id: "window")
      try scene.store.set("history", for: SettingsKey("tab", default: ""))
      let archive = root.appending("archive.tar")
      #expect(try await Finished("backup", "app", archive.string, root: own).code == 0)
      #expect(try await Finished("restore", "app", archive.string, root: other).code == 0)
      let shown = try await Finished("scenes", "app", root: other)
      #expect(shown.output.contains("history"), "\(shown.errors)")
      withExtendedLifetime(scenes) {}
    }
  }

  @Test(
    "is not restored over files of the app that no check names, through links, or to another app")
  func others() async throws {
    try await withTemporaryDirectory { root in
      let (own, other) = (root.appending("own"), root.appending("other"))
      try await keepSomething(in: own)
      let support = AppContainer(root: own, identifier: "app").applicationSupport
      try LocalFileSystem().createDirectories(support)
      try Data("mine".utf8).write(to: URL(filePath: support.appending("data.db").string))
      let archive = root.appending("archive.tar")
      _ = try await Finished("backup", "app", archive.string, root: own)

      let theirs = AppContainer(root: other, identifier: "app").applicationSupport
      try LocalFileSystem().createDirectories(theirs)
      let file = URL(filePath: theirs.appending("data.db").string)
      try Data("theirs".utf8).write(to: file)
      let refused = try await Finished("restore", "app", archive.string, root: other)
      #expect(refused.code == 73)
      #expect(try Data(contentsOf: file) == Data("theirs".utf8))
      #expect(try !files(below: other).keys.contains { $0.hasSuffix("app.plist") })

      let stranger = try await Finished(
        "restore", "stranger", archive.string, root: root.appending("x"))
      #expect(stranger.code == 65)

      let linked = root.appending("linked")
      try LocalFileSystem().createDirectories(linked.appending("Documents"))
      try FileManager.default.createSymbolicLink(
        atPath: linked.appending("Documents/Trash").string, withDestinationPath: root.string)
      let packed = root.appending("packed.tar")
      try Data("x".utf8).write(to: URL(filePath: root.appending("x.txt").string))
      _ = try await Finished(
        "/bin/tar",
        [
          "cf", packed.string, "-C", root.string, "--transform", "s,^x.txt$,Documents/Trash/x.txt,",
          "x.txt",
        ])
      let link = try await Finished("restore", "app", packed.string, "--replace", root: linked)
      #expect(link.code == 73, "\(link.errors)")
    }
  }

  @Test("leaves out keys of secrets unless it is asked for them") func keys() async throws {
    try await withTemporaryDirectory { root in
      try await keepSomething(in: root)
      let container = AppContainer(root: root, identifier: "app")
      try LocalFileSystem().createDirectories(container.applicationSupport)
      try Data("0123456789".utf8).write(
        to: URL(filePath: container.applicationSupport.appending("app.key").string))
      let without = try await Finished("backup", "app", "-", root: root)
      #expect(!without.output.contains("app.key"))
      #expect(without.errors.contains("keys left out: 1"))
      let with = try await Finished("backup", "app", "-", "--include-keys", root: root)
      #expect(with.output.contains("app.key"))
    }
  }
}
