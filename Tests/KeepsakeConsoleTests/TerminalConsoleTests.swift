#if Console
import KeepsakeBase
import KeepsakeCoding
import KeepsakeConfiguration
import KeepsakeSettings
import Testing

@testable import KeepsakeConsole

@Suite("The console in a terminal") struct TerminalConsoleTests {
  private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    func take() -> [String] {
      lines.withLock { lines in
        defer { lines = [] }
        return lines
      }
    }
  }

  @Test("lists, changes, refuses and undoes") func lines() throws {
    let store = SettingsStore.inMemory()
    try store.set(3, for: SettingsKey("rating", default: 0))
    try store.set("a b", for: SettingsKey("name", default: ""))
    let configuration = try EnvironmentConfiguration(dictionary: ["Timeout": 30])
    let lines = Lines()
    let terminal = TerminalConsole(
      model: ConsoleModel(
        app: "app", settings: store, configuration: configuration, scenes: nil),
      write: { lines.add($0) })
    terminal.perform("list rating")
    #expect(lines.take() == ["setting/rating = \"3\"  (integer)"])
    terminal.perform("list")
    #expect(lines.take().count == 3)
    terminal.perform("set name b  c")
    #expect(store[SettingsKey("name", default: "")] == "b  c")
    terminal.perform("set rating four")
    #expect(lines.take().first?.hasPrefix("! 'four' is not of the type integer") == true)
    terminal.perform("set rating 4")
    terminal.perform("undo")
    #expect(store[SettingsKey("rating", default: 0)] == 3)
    terminal.perform("show Timeout")
    #expect(lines.take().first?.contains("Common") == true)
    terminal.perform("show a")
    #expect(lines.take().first?.hasPrefix("! Several") == true)
    terminal.perform("remove nothing")
    #expect(lines.take() == ["! Nothing is called 'nothing'."])
    try store.set("a\nb\u{202E}", for: SettingsKey("name", default: ""))
    terminal.perform("list setting/name")
    #expect(lines.take() == [#"setting/name = "a\nb\u{202e}"  (string)"#])
    terminal.perform("show setting/name")
    #expect(lines.take() == ["a\nb\\u{202e}"])
    terminal.perform("dance")
    #expect(lines.take() == [TerminalConsole.help])
    terminal.perform("")
    #expect(lines.take().isEmpty)
  }
}
#endif
