#if Configuration
import KeepsakeCoding
import KeepsakeFiles
import SystemPackage

/// A configuration file: one section for all environments and one for each, or just keys.
struct ConfigurationFile: Sendable {
  /// The name of the section for all environments.
  static let common = "Common"

  /// The sections of a file that are used.
  enum Sections: Sendable {
    /// The file has no sections.
    case none
    /// The common section and, before it, the environment's if there is one.
    case common(environment: String?)
  }

  let path: FilePath?
  private(set) var bytes: [UInt8] = []
  /// The environment's section, and the common one after it; or the whole file.
  let sections: [LayerTree]
  private let root: [String]

  /// Creates the content of a file with only the common section.
  init(dictionary: [String: PropertyList.Value]) throws(ConfigurationError) {
    path = nil
    root = []
    sections = [try Self.tree(.common, dictionary, path: []) { _ in nil }]
  }

  /// Reads a file's bytes.
  ///
  /// - Throws: ``ConfigurationError`` with line and column if they are not a configuration, or do not
  ///   contain the environment's section.
  init(
    parsing bytes: [UInt8], of path: FilePath, _ used: Sections, _ secrets: ConfigurationSecrets
  ) throws(ConfigurationError) {
    guard let format = ConfigurationFormat(path) else {
      throw ConfigurationError(
        .unreadable, "the name of a configuration ends with .plist, .json, .yaml or .yml",
        file: path)
    }
    let document: ConfigurationFormat.Document
    do throws(ConfigurationFormat.ParseError) {
      document = try format.parse(bytes, secrets)
    } catch {
      throw ConfigurationError(.unreadable, error.message, file: path, location: error.location)
    }
    func location(_ keys: [String]) -> TextLocation? { format.location(of: keys, in: bytes) }
    func tree(
      _ layer: ConfigurationLayer, _ values: [String: PropertyList.Value], path keys: [String]
    ) throws(ConfigurationError) -> LayerTree {
      try Self.tree(
        layer, values, path: keys, of: path, isUntyped: document.isUntyped, location)
    }
    guard case .dictionary(let found) = document.value else {
      throw ConfigurationError(
        .unreadable, "the configuration is not a dictionary", file: path, location: location([]))
    }
    self.path = path
    self.bytes = bytes
    guard case .common(let environment) = used else {
      root = []
      sections = [try tree(.file, found, path: [])]
      return
    }
    var dictionaries: [String: [String: PropertyList.Value]] = [:]
    for (name, section) in found.sorted(by: { PropertyList.precedes($0.key, $1.key) }) {
      guard case .dictionary(let section) = section else {
        throw ConfigurationError(
          .unreadable, "the value is not in a section such as '\(Self.common)'",
          effect: "an app whose file has no sections passes hasSections: false", key: name,
          file: path, location: location([name]))
      }
      dictionaries[name] = section
    }
    var sections: [LayerTree] = []
    if let environment, environment != Self.common {
      guard let section = dictionaries[environment] else {
        let others = found.keys.sorted().map { "'\($0)'" }.joined(separator: ", ")
        throw ConfigurationError(
          .unknownEnvironment,
          "there is no section '\(environment)'"
            + (others.isEmpty ? ", nor any other" : ", but \(others)"), file: path)
      }
      sections.append(try tree(.section(environment), section, path: [environment]))
    }
    sections.append(try tree(.common, dictionaries[Self.common] ?? [:], path: [Self.common]))
    self.sections = sections
    root = [environment ?? Self.common]
  }

  private static func tree(
    _ layer: ConfigurationLayer, _ values: [String: PropertyList.Value], path: [String],
    of file: FilePath? = nil, isUntyped: Bool = false, _ location: ([String]) -> TextLocation?
  ) throws(ConfigurationError) -> LayerTree {
    do throws(LayerTree.DuplicateName) {
      return try LayerTree(layer, values, path: path, isUntyped: isUntyped)
    } catch {
      throw ConfigurationError(
        .unreadable, "the key is another spelling of '\(error.other)'",
        key: error.path.dropFirst(path.count).joined(separator: "."), file: file,
        location: location(error.path))
    }
  }

  /// The location of a value, or of the section from which it is missing.
  func location(of path: [String]?) -> TextLocation? {
    guard let file = self.path, let format = ConfigurationFormat(file) else { return nil }
    return format.location(of: path ?? root, in: bytes)
  }
}
#endif
