#if Configuration
import KeepsakeCoding
import KeepsakeFiles
import SystemPackage

/// A configuration file: one section for all environments, and one for each.
struct ConfigurationFile: Sendable {
  /// What the section for all environments is called.
  static let common = "Common"

  let path: FilePath?
  private(set) var bytes: [UInt8] = []
  /// The environment's section, and the common one after it.
  let sections: [LayerTree]
  private let root: [String]

  /// Values without a file and without environments.
  init(dictionary: [String: PropertyList.Value]) throws(ConfigurationError) {
    path = nil
    root = []
    sections = [try Self.tree(.common, dictionary, path: []) { _ in nil }]
  }

  /// Reads a file's text.
  ///
  /// - Parameter environment: What the section that counts before the common one is called.
  /// - Throws: ``ConfigurationError`` with line and column where it is no configuration, or has no
  ///   such section.
  init(
    parsing bytes: [UInt8], of path: FilePath, environment: String?,
    _ secrets: ConfigurationSecrets
  ) throws(ConfigurationError) {
    guard let format = ConfigurationFormat(path) else {
      throw ConfigurationError(
        .unreadable, "a configuration is a file of type plist, json, yaml or yml", file: path)
    }
    let value: PropertyList.Value
    do throws(ConfigurationFormat.Fault) {
      value = try format.parse(bytes, secrets)
    } catch {
      throw ConfigurationError(.unreadable, error.message, file: path, location: error.location)
    }
    func location(_ keys: [String]) -> TextLocation? { format.location(of: keys, in: bytes) }
    guard case .dictionary(let found) = value else {
      throw ConfigurationError(
        .unreadable, "a configuration is a dictionary of sections", file: path,
        location: location([]))
    }
    var dictionaries: [String: [String: PropertyList.Value]] = [:]
    for (name, section) in found.sorted(by: { PropertyList.precedes($0.key, $1.key) }) {
      guard case .dictionary(let section) = section else {
        throw ConfigurationError(
          .unreadable, "a value that is in no section", key: name, file: path,
          location: location([name]))
      }
      dictionaries[name] = section
    }
    self.path = path
    self.bytes = bytes
    var sections: [LayerTree] = []
    if let environment, environment != Self.common {
      guard let section = dictionaries[environment] else {
        throw ConfigurationError(
          .unknownEnvironment,
          "there is no section '\(environment)', but "
            + found.keys.sorted().map { "'\($0)'" }.joined(separator: ", "), file: path)
      }
      sections.append(
        try Self.tree(.section(environment), section, path: [environment], of: path, location))
    }
    sections.append(
      try Self.tree(
        .common, dictionaries[Self.common] ?? [:], path: [Self.common], of: path, location))
    self.sections = sections
    root = [environment ?? Self.common]
  }

  private static func tree(
    _ layer: ConfigurationLayer, _ values: [String: PropertyList.Value], path: [String],
    of file: FilePath? = nil, _ location: ([String]) -> TextLocation?
  ) throws(ConfigurationError) -> LayerTree {
    do throws(LayerTree.DuplicateName) {
      return try LayerTree(layer, values, path: path)
    } catch {
      throw ConfigurationError(
        .unreadable, "this is the same key as '\(error.other)', in another spelling",
        key: error.path.dropFirst(path.count).joined(separator: "."), file: file,
        location: location(error.path))
    }
  }

  /// Where a value stands; for one that is not there, where the section does in which it is missing.
  func location(of path: [String]?) -> TextLocation? {
    guard let file = self.path, let format = ConfigurationFormat(file) else { return nil }
    return format.location(of: path ?? root, in: bytes)
  }
}
#endif
