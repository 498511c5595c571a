import Foundation
import Keepsake
import SystemPackage
import Testing

@Suite("The standard output") struct OutputTests {
  @Test("that is closed, or on a full disk, is an error and receives nothing of the app's files")
  func closed() async throws {
    try await withTemporaryDirectory { root in
      try await keepSomething(in: root)
      for redirection in [">&-", "> /dev/full"] {
        let done = try await shell("settings list app \(redirection)", root)
        #expect(done.code == 74, "\(done.errors)")
        #expect(done.errors.contains("The standard output cannot be written"))
        // Its journal must not get the number of the standard output.
        let reset = try await shell("settings reset app --prefix none \(redirection)", root)
        #expect(reset.code == 74)
      }
      #expect(try await Finished("settings", "check", "app", root: root).code == 0)
      #expect(try await Finished("settings", "get", "app", "rating", root: root).output == "3\n")
    }
  }

  @Test("whose reader is gone ends the command quietly") func broken() async throws {
    try await withTemporaryDirectory { root in
      try await keepSomething(in: root)
      let done = try await shell("settings list app | true; exit ${PIPESTATUS[0]}", root)
      #expect(done.code == 141 || done.code == 0)
      #expect(done.errors.isEmpty)
    }
  }

  @Test(
    "offers commands, apps and settings to a shell that completes words",
    arguments: ["bash", "zsh", "fish"])
  func completion(_ shell: String) async throws {
    let done = try await Finished("--generate-completion-script", shell)
    #expect(done.code == 0)
    #expect(done.output.contains("settings"))
    #expect(done.output.contains("---completion"))
  }
}

@Suite("An app's own tool") struct OwnToolTests {
  @Test("has the commands for its own state") func ofThisApp() async throws {
    try await withTemporaryDirectory { home in
      let path = RunningTool.executable.deletingLastPathComponent()
        .appending(path: "example-tool").path
      func tool(_ words: String...) async throws -> Finished {
        try await Finished(
          "/usr/bin/env", ["-i", "HOME=\(home.string)", "PATH=/usr/bin:/bin", path] + words)
      }
      #expect(try await tool("greet").output == "Hello, World!\n")
      let set = try await tool("settings", "set", "name", "Ann", "--type", "string", "--create")
      #expect(set.code == 0, "\(set.errors)")
      #expect(try await tool("settings", "get", "name").output == "Ann\n")
      #expect(try await tool("greet").output == "Hello, Ann!\n")
      #expect(try await tool("settings", "domains").code == 64)
      // The app's own key opens its secrets.
      let pipe = "echo hunter2 | HOME='\(home.string)' '\(path)' secrets set token --create"
      let secret = try await Finished("/bin/sh", ["-c", pipe])
      #expect(secret.code == 0, "\(secret.errors)")
      #expect(try await tool("secrets", "get", "token").output == "hunter2\n")
    }
  }

  @Test("is written as the documentation says") func documentation() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    func lines(_ path: String) throws -> [String] {
      try String(contentsOf: root.appending(path: path), encoding: .utf8)
        .split(separator: "\n").map(String.init)
    }
    let source = Swift.Set(try lines("Tool/Tests/ExampleTool/ExampleTool.swift"))
    let page = try lines("Sources/Keepsake/Keepsake.docc/CommandLineTool.md")
    let snippet = page.drop { $0 != "```swift" }.dropFirst().prefix { $0 != "```" }
    #expect(snippet.count > 5)
    #expect(snippet.filter { !source.contains($0) } == [])
  }
}

/// Runs the command in a shell.
private func shell(_ words: String, _ root: FilePath) async throws -> Finished {
  let (command, rest) = (
    words.prefix { $0 != ">" && $0 != "|" }, words.drop { $0 != ">" && $0 != "|" }
  )
  return try await Finished(
    "/bin/bash",
    ["-c", "'\(RunningTool.executable.path)' \(command) --root '\(root.string)' \(rest)"])
}
