#if Configuration
/// A source of values; the first layer that has a value takes precedence.
@nonexhaustive public enum ConfigurationLayer: Hashable, Sendable {
  /// Values that were set while a program ran.
  case overrides
  /// The command line, such as `--base-api-url`.
  case arguments
  /// The environment's variables, such as `BASE_API_URL`.
  case variables
  /// The file's section of this name: the environment that the program runs in.
  case section(String)
  /// The file's section for all environments, or the dictionary of
  /// ``EnvironmentConfiguration/init(dictionary:onProblem:)``.
  case common
  /// A file without sections.
  case file
}

extension ConfigurationLayer: CustomStringConvertible {
  /// The layer's name.
  public var description: String {
    switch self {
    case .overrides: "overrides"
    case .arguments: "arguments"
    case .variables: "environment variables"
    case .section(let name): "section '\(name)'"
    case .common: "section 'Common'"
    case .file: "the file"
    }
  }
}

extension ConfigurationLayer {
  /// The name of a value as the keys of its path in this layer spell it.
  func spelling(of name: ConfigurationName, at path: [String]) -> ConfigurationName {
    switch self {
    case .arguments, .variables: name
    case .overrides, .file: ConfigurationName(path.joined(separator: "."))
    case .section, .common: ConfigurationName(path.dropFirst().joined(separator: "."))
    }
  }
}
#endif
