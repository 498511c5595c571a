#if Configuration
/// Where a configuration looks for a value; the first that has one wins.
public enum ConfigurationLayer: Hashable, Sendable {
  /// What was set while a program ran.
  case overrides
  /// The command line, such as `--base-api-url`.
  case arguments
  /// The environment's variables, such as `BASE_API_URL`.
  case variables
  /// The file's section of that name: the environment that the program runs in.
  case section(String)
  /// The file's section for all environments.
  case common
}

extension ConfigurationLayer: CustomStringConvertible {
  /// The layer in words.
  public var description: String {
    switch self {
    case .overrides: "overrides"
    case .arguments: "arguments"
    case .variables: "environment variables"
    case .section(let name): "section '\(name)'"
    case .common: "section 'Common'"
    }
  }
}
#endif
