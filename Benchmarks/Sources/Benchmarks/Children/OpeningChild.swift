import Foundation
import Glibc
import Keepsake

/// A process that opens settings of one kind, once.
///
/// It is a process of its own, for `UserDefaults` reads a suite once in a process and never again.
/// Before it is measured it opens a few small files of the same kind: what a program pays once,
/// however many settings it has, such as binding symbols, is left out for all alike.
enum OpeningChild {
  enum Kind: String, CaseIterable {
    case keepsake, defaults, database, databaseRow, serialization

    var title: String {
      switch self {
      case .keepsake: "Keepsake"
      case .defaults: "UserDefaults"
      case .database: "GRDB, all rows"
      case .databaseRow: "GRDB, one row"
      case .serialization: "PropertyListSerialization"
      }
    }
  }

  /// The sizes of the settings that are opened before.
  static let warmUp = 10...14

  static func fixture(_ size: Int) -> String { "open-\(size)" }

  // MARK: In the parent

  static func run(
    _ kind: Kind, _ size: Int, in workspace: Workspace
  ) throws -> (seconds: Double, bytes: Double) {
    let child = try Child(.open, [kind.rawValue, "\(size)"])
    let numbers = (try child.line() ?? "").split(separator: " ").compactMap { Double($0) }
    try child.end()
    guard numbers.count == 2 else { throw CocoaError(.executableRuntimeMismatch) }
    return (numbers[0], numbers[1])
  }

  // MARK: In the child

  static func main(_ arguments: [String], in workspace: Workspace) throws {
    guard arguments.count == 2, let kind = Kind(rawValue: arguments[0]),
      let size = Int(arguments[1])
    else { throw CocoaError(.executableRuntimeMismatch) }
    for size in warmUp { _ = try open(kind, size, in: workspace) }
    let before = ProcessMemory.resident
    let start = Clock.wall.now
    let opened = try open(kind, size, in: workspace)
    let seconds = Clock.wall.now - start
    withExtendedLifetime(opened) {
      Child.say("\(seconds) \(ProcessMemory.resident - before)")
    }
  }

  /// Opens settings and reads one, and gives what must live for as long as they are open.
  private static func open(_ kind: Kind, _ size: Int, in workspace: Workspace) throws -> Any {
    let name = fixture(size)
    let opened: Any
    let number: Int
    switch kind {
    case .keepsake:
      let store = try SettingsStore(container: workspace.container(name), arguments: [])
      number = store[SettingsKey(Fixture.numberKey, default: 0)]
      opened = store
    case .defaults:
      let defaults = try UserDefaults.opened(name)
      number = defaults.integer(forKey: Fixture.numberKey)
      opened = defaults
    case .database:
      let database = try SettingsDatabase(path: workspace.path("\(name).sqlite"))
      let values = try database.all()
      number = SettingsDatabase.number(Fixture.numberKey, in: values)
      opened = (database, values)
    case .databaseRow:
      let database = try SettingsDatabase(path: workspace.path("\(name).sqlite"))
      number = try database.number(Fixture.numberKey)
      opened = database
    case .serialization:
      let data = try Data(contentsOf: URL(fileURLWithPath: workspace.defaultsFile(name)))
      let values =
        try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
      number = values?[Fixture.numberKey] as? Int ?? 0
      opened = values as Any
    }
    Sink.check(number, is: Fixture.number)
    return opened
  }
}
