import Foundation
import Keepsake
import KeepsakeConfiguration
import SystemPackage
import Testing

@Suite("The command keepsake console", .timeLimit(.minutes(2))) struct ConsoleCommandTests {
  private static let entries = """
    <plist><dict>
    <key>Common</key><dict>
      <key>Level</key><string>info</string><key>Retries</key><integer>3</integer>
    </dict>
    <key>Local</key><dict><key>Level</key><string>verbose</string></dict>
    </dict></plist>
    """

  @Test("shows and overrides a configuration, which a running app receives")
  func configuration() async throws {
    try await withTemporaryDirectory { root in
      let store = try SettingsStore(
        container: AppContainer(root: root, identifier: "app"), arguments: [])
      try store.set(3, for: SettingsKey("rating", default: 0))
      let (file, overrides) = (root.appending("config.plist"), root.appending("overrides.plist"))
      try Data(Self.entries.utf8).write(to: URL(filePath: file.string))
      let app = try EnvironmentConfiguration(
        file: file, environment: "Local", overrides: overrides, arguments: [], variables: [:])
      var levels = app.values(of: "Level", default: "none").makeAsyncIterator()
      #expect(try await levels.next() == "verbose")

      let console = try RunningTool(
        [
          "console", "app", "--root", root.string, "--configuration-file", file.string,
          "--environment", "Local", "--overrides", overrides.string,
        ])
      let page = try line(of: console, with: "The console is at")
      #expect(page.contains("http://127.0.0.1:"))
      try console.type("list Level")
      let level = try line(of: console, with: "configuration/Level")
      #expect(level == "configuration/Level = \"verbose\"  (from section 'Local')")
      try console.type("set Level warning")
      #expect(try await levels.next() == "warning")
      try console.type("set Retries many")
      let problem = try line(of: console, with: "! ")
      #expect(problem.contains("'Retries'"))
      try console.type("list Retries")
      let retries = try line(of: console, with: "configuration/Retries")
      #expect(retries == "configuration/Retries = \"3\"  (from section 'Common')")
      #expect(try app.value(for: "Retries") == 3)
      try console.type("undo")
      #expect(try await levels.next() == "verbose")
    }
  }

  @Test("answers a script's lines, and writes nothing in between") func script() async throws {
    try await withTemporaryDirectory { root in
      let store = try SettingsStore(
        container: AppContainer(root: root, identifier: "app"), arguments: [])
      let key = SettingsKey("rating", default: 0)
      try store.set(3, for: key)
      let console = try RunningTool(["console", "app", "--root", root.string])
      _ = try line(of: console, with: "The console is at")
      for number in 4..<8 {
        try store.set(number, for: key)
        try await Task.sleep(for: .milliseconds(200))
      }
      try console.type("list rating")
      #expect(try console.readLine() == "setting/rating = \"7\"  (integer)")
      try console.type("set rating 8")
      try console.type("list rating")
      #expect(try console.readLine() == "setting/rating = \"8\"  (integer)")
    }
  }

  /// The next line with a text in it; changes are written in between.
  private func line(of console: RunningTool, with text: String) throws -> String {
    while let line = try console.readLine() {
      if line.contains(text) { return line }
    }
    throw Ended(expected: text)
  }

  private struct Ended: Error { let expected: String }
}
