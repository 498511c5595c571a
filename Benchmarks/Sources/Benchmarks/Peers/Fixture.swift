import Foundation
import Keepsake
import SystemPackage

/// The settings that every contestant has: strings, whole numbers and truth values by turns.
struct Fixture {
  let count: Int

  /// A key that holds a whole number, of any size.
  static let numberKey = name(4)
  static let number = 4

  /// Short names and long ones, which Swift keeps in different ways, by turns.
  static func name(_ index: Int) -> String {
    index.isMultiple(of: 2) ? "setting\(index)" : "window\(index).selectedItem"
  }

  /// The property list of the settings.
  var dictionary: [String: Any] {
    var values: [String: Any] = [:]
    for index in 0..<count {
      values[Self.name(index)] =
        switch index % 3 {
        case 0: "the text of setting \(index)"
        case 1: index
        default: index % 2 == 0
        }
    }
    return values
  }

  /// Writes the settings as an XML property list, as Foundation does.
  func write(to path: String) throws {
    let url = URL(fileURLWithPath: path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try PropertyListSerialization.data(fromPropertyList: dictionary, format: .xml, options: 0)
      .write(to: url)
  }

  /// Opens a store of the settings.
  func store(_ name: String, in workspace: Workspace) throws -> SettingsStore {
    let container = workspace.container(name)
    try write(to: container.preferencesFile().string)
    return try SettingsStore(container: container, arguments: [])
  }

  /// Opens a suite of the settings.
  func defaults(_ suite: String, in workspace: Workspace) throws -> UserDefaults {
    try write(to: workspace.defaultsFile(suite))
    return try UserDefaults.opened(suite)
  }

  /// Opens a database of the settings.
  func database(
    _ name: String, in workspace: Workspace, isDurable: Bool = false
  ) throws -> SettingsDatabase {
    let database = try SettingsDatabase(
      path: workspace.path("\(name).sqlite"), isDurable: isDurable)
    try database.fill(dictionary)
    return database
  }
}

extension UserDefaults {
  static func opened(_ suite: String) throws -> UserDefaults {
    guard let defaults = UserDefaults(suiteName: suite) else { throw CocoaError(.fileReadUnknown) }
    return defaults
  }
}
