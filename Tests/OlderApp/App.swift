import KeepsakeCoding
import KeepsakeFiles
import KeepsakeSettings
import SystemPackage

/// One program that is built twice, with an older and a newer type of its settings.
///
/// It reads a command from each line, and answers it with one.
@main struct App {
  static func main() throws {
    let container = AppContainer(
      root: FilePath(CommandLine.arguments[1]), identifier: "com.example.TwoVersions")
    let store = try SettingsStore(container: container, arguments: []) { _ in }
    let profile = SettingsKey("profile", default: Profile())
    let level = SettingsKey("level", default: Level.low)
    while let line = readLine() {
      let words = line.split(separator: " ", maxSplits: 1)
      switch words[0] {
      case "set":
        try store.set(JSON.Decoder().decode(Profile.self, from: Array(words[1].utf8)), for: profile)
      case "change":
        try store.transaction { settings in
          settings[profile] = try JSON.Decoder().decode(Profile.self, from: Array(words[1].utf8))
        }
      case "level": try store.set(Level(rawValue: String(words[1]))!, for: level)
      case "end": return
      default: fatalError("unknown command '\(line)'")
      }
      // A transaction reads what the other program changed until now.
      let current = try store.transaction { $0[profile] }
      let answer = try JSON.Encoder().encode(current) + Array("\n".utf8)
      try FileDescriptor.standardOutput.writeAll(answer)
    }
  }
}
