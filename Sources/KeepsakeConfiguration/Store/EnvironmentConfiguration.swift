#if Configuration
public import Configuration
import KeepsakeBase
public import KeepsakeCoding
public import KeepsakeFiles
import Logging
public import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The values that an app receives from those who build, install and run it, such as addresses and log
/// levels, for each environment in which it runs.
///
/// ```swift
/// let configuration = try EnvironmentConfiguration(file: "/etc/example/config.plist")
/// let client = ApiClient(baseUrl: try configuration.value(for: "BaseApiUrl"))
/// ```
///
/// The file has a section `Common` and one for each environment: `Local`, `Production`, any name. A
/// value is looked up in layers (``ConfigurationLayer``), and the first one that has it takes
/// precedence: overrides, the command line (`--base-api-url`), the environment's variables
/// (`BASE_API_URL`), the environment's section, `Common`. Each value in a dictionary is looked up by
/// itself, as `Server.Port` (`--server-port`, `SERVER_PORT`); an array comes from one layer. Keys that
/// differ only in case, hyphens and underscores, such as `BaseApiUrl` and `base_api_url`, are the same
/// key.
///
/// When a file changes, its values do. If it cannot be read, the previous ones remain in effect.
public final class EnvironmentConfiguration: Sendable {
  let store: ConfigurationStore
  let files: ConfigurationFiles

  /// The name of the section that takes precedence over `Common`, if there is one.
  public let environment: String?

  /// Reads a configuration file.
  ///
  /// - Parameters:
  ///   - file: A property list in any format, JSON (which may contain comments and trailing commas) or
  ///     YAML, according to the name's extension. Symbolic links are followed inside the file's
  ///     directory, as in a mounted ConfigMap of Kubernetes.
  ///   - hasSections: Whether the file has a section `Common` and one for each environment; true by
  ///     default. Otherwise its keys are those of the configuration, in every environment.
  ///   - environment: The name of the environment's section, unless the command line contains another
  ///     (`--config-environment`), or the variables do (`CONFIG_ENVIRONMENT`). Without one, only
  ///     `Common` is used.
  ///   - overrides: The file that keeps overrides: a property list in any format, which is written as
  ///     XML. By default, overrides are kept in memory.
  ///   - arguments: The command line.
  ///   - variables: The environment's variables.
  ///   - secrets: The keys whose values are never shown, according to name and value; by default those
  ///     for which ``isSecret(_:)`` is true.
  ///   - fileSystem: The file system that contains the files.
  ///   - onProblem: Receives every problem that is not thrown to a caller, for example a file that
  ///     became unreadable, or a value of a wrong type in whose place a default is used. It is called
  ///     soon after, with one problem at a time, on a thread that holds no lock; it may use the
  ///     configuration. By default problems are logged.
  /// - Throws: ``ConfigurationError`` if the file does not exist or cannot be read, with line and column
  ///   if its text is wrong; if it has no section for the environment; if the overrides exist and cannot
  ///   be read. Damaged overrides are quarantined, and the intact ones are in effect.
  /// - Complexity: O(*n*) in the size of the files.
  public convenience init(
    file: FilePath, hasSections: Bool = true, environment: String? = nil,
    overrides: FilePath? = nil, arguments: [String] = CommandLine.arguments,
    variables: [String: String] = ProcessInfo.processInfo.environment,
    secrets: SecretsSpecifier<String, String> = .dynamic { name, _ in isSecret(name) },
    fileSystem: any FileSystem = LocalFileSystem(),
    onProblem: (@Sendable (ConfigurationError) -> Void)? = nil
  ) throws(ConfigurationError) {
    let secrets = ConfigurationSecrets(secrets)
    let arguments = TextLayer(arguments: arguments)
    let variables = TextLayer(variables: variables)
    var sections = ConfigurationFile.Sections.none
    if hasSections {
      let name = ConfigurationName("ConfigEnvironment")
      sections = .common(
        environment: arguments[name]?.whole ?? variables[name]?.whole ?? environment)
    }
    let bytes = try LinkedFile.read(file, in: fileSystem)
    let contents = try ConfigurationFile(parsing: bytes, of: file, sections, secrets)
    try self.init(
      ConfigurationLayers(arguments: arguments, variables: variables, file: contents),
      file: file, bytes: bytes, sections, overrides: overrides, secrets: secrets,
      fileSystem: fileSystem, onProblem: onProblem)
  }

  /// Creates a configuration from values in memory, for tests and previews.
  ///
  /// - Parameters:
  ///   - dictionary: The values by key.
  ///   - onProblem: Receives every problem that is not thrown to a caller.
  /// - Throws: ``ConfigurationError`` if two keys are spellings of the same key.
  public convenience init(
    dictionary: [String: PropertyList.Value],
    onProblem: (@Sendable (ConfigurationError) -> Void)? = nil
  ) throws(ConfigurationError) {
    try self.init(
      ConfigurationLayers(
        arguments: TextLayer(arguments: []), variables: TextLayer(variables: [:]),
        file: try ConfigurationFile(dictionary: dictionary)),
      secrets: ConfigurationSecrets(.dynamic { name, _ in Self.isSecret(name) }),
      fileSystem: LocalFileSystem(), onProblem: onProblem)
  }

  private init(
    _ layers: ConfigurationLayers, file: FilePath? = nil, bytes: [UInt8]? = nil,
    _ sections: ConfigurationFile.Sections = .none, overrides: FilePath? = nil,
    secrets: ConfigurationSecrets, fileSystem: any FileSystem,
    onProblem: (@Sendable (ConfigurationError) -> Void)?
  ) throws(ConfigurationError) {
    environment = if case .common(let environment) = sections { environment } else { nil }
    store = ConfigurationStore(
      layers, secrets, overridesFile: overrides, ProblemReporter(onProblem ?? Self.log))
    files = try ConfigurationFiles(
      file: file, bytes: bytes, sections, overrides: overrides, in: fileSystem, store: store)
  }

  /// Returns whether a key looks like the name of a secret: one of its words is key, private or pin, or
  /// begins or ends with secret, token, password, passwd, passphrase, credential or apikey.
  public static func isSecret(_ key: String) -> Bool { ConfigurationSecrets.isSecret(key) }

  /// Logs a problem.
  private static let log: @Sendable (ConfigurationError) -> Void = { logger.error("\($0)") }

  private static let logger = Logger(label: "keepsake.configuration")
}

extension EnvironmentConfiguration: CustomStringConvertible, CustomReflectable {
  /// The environment and the keys, without their values.
  public var description: String {
    "EnvironmentConfiguration(\(environment ?? "Common"): \(keys.joined(separator: ", ")))"
  }

  /// The environment only, because a dump shows all values that a mirror contains.
  public var customMirror: Mirror { Mirror(self, children: ["environment": environment as Any]) }
}
#endif
