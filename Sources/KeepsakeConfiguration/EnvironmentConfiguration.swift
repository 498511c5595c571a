#if Configuration
import KeepsakeBase
public import Configuration
public import KeepsakeCoding
public import KeepsakeFiles
import Logging
public import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What an app is told by whoever builds, installs and runs it: addresses, levels, switches, for each
/// environment that it runs in.
///
/// ```swift
/// let configuration = try EnvironmentConfiguration(file: "/etc/example/config.plist")
/// let client = ApiClient(baseUrl: try configuration.value(for: "BaseApiUrl"))
/// ```
///
/// The file has a section `Common` and one for each environment: `Local`, `Production`, any name. A
/// value is looked for in layers (``ConfigurationLayer``), and the first that has one wins:
/// overrides, the command line (`--base-api-url`), the environment's variables (`BASE_API_URL`), the
/// environment's section, `Common`. Of dictionaries each value is looked for by itself, as
/// `Server.Port` (`--server-port`, `SERVER_PORT`); an array is one layer's as a whole. Keys that
/// differ in case, hyphens and underscores only, `BaseApiUrl` and `base_api_url`, are one key.
///
/// When a file changes, its values do; one that cannot be read leaves those from before.
public final class EnvironmentConfiguration: Sendable {
  let store: ConfigurationStore
  let files: ConfigurationFiles

  /// Reads a configuration.
  ///
  /// - Parameters:
  ///   - file: A property list in any format, JSON (comments and trailing commas are read) or YAML,
  ///     by the name's extension. Symbolic links are not followed.
  ///   - environment: What the environment's section is called, unless the command line says so by
  ///     `--config-environment` or a variable by `CONFIG_ENVIRONMENT`. Without one, `Common` counts
  ///     alone.
  ///   - overrides: The file that overrides are kept in, an XML property list; by default they live
  ///     as long as the process.
  ///   - arguments: The command line.
  ///   - variables: The environment's variables.
  ///   - secrets: The keys whose values are never shown, by name and value; by default those that
  ///     ``isSecret(_:)`` says.
  ///   - fileSystem: Where the files are.
  ///   - onProblem: Receives every problem that no caller receives as an error: a file that became
  ///     unreadable, a value of a wrong type where a default counts instead. It is called soon after,
  ///     with one problem at a time, on a thread that holds no lock. By default the problem is logged.
  /// - Throws: ``ConfigurationError`` where the file is not there or cannot be read, with line and
  ///   column where it is wrong; where it has no section for the environment; where overrides are
  ///   there that cannot be read. Damaged ones are set aside, and what is good in them counts.
  /// - Complexity: O(*n*) in the size of the files.
  public convenience init(
    file: FilePath, environment: String? = nil, overrides: FilePath? = nil,
    arguments: [String] = CommandLine.arguments,
    variables: [String: String] = ProcessInfo.processInfo.environment,
    secrets: SecretsSpecifier<String, String> = .dynamic { name, _ in isSecret(name) },
    fileSystem: any FileSystem = LocalFileSystem(),
    onProblem: (@Sendable (ConfigurationError) -> Void)? = nil
  ) throws(ConfigurationError) {
    let secrets = ConfigurationSecrets(secrets)
    let arguments = TextLayer(arguments: arguments)
    let variables = TextLayer(variables: variables)
    let asked = ConfigurationName("ConfigEnvironment")
    let environment = arguments[asked]?.whole ?? variables[asked]?.whole ?? environment
    let bytes = try ConfigurationFiles.read(file, in: fileSystem)
    let contents = try ConfigurationFile(
      parsing: bytes, of: file, environment: environment, secrets)
    try self.init(
      ConfigurationLayers(arguments: arguments, variables: variables, file: contents),
      file: file, bytes: bytes, environment: environment, overrides: overrides, secrets: secrets,
      fileSystem: fileSystem, onProblem: onProblem)
  }

  /// Makes a configuration of values in memory, for tests and previews.
  ///
  /// - Parameters:
  ///   - dictionary: The values by key.
  ///   - onProblem: Receives every problem that no caller receives as an error.
  /// - Throws: ``ConfigurationError`` where two keys are spellings of one.
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
    environment: String? = nil, overrides: FilePath? = nil, secrets: ConfigurationSecrets,
    fileSystem: any FileSystem, onProblem: (@Sendable (ConfigurationError) -> Void)?
  ) throws(ConfigurationError) {
    let reporter = ProblemReporter(onProblem ?? Self.log)
    store = ConfigurationStore(
      layers, secrets, overridesFile: overrides, report: { reporter.report($0) })
    files = try ConfigurationFiles(
      file: file, bytes: bytes, overrides: overrides, environment: environment, in: fileSystem,
      store: store)
  }

  /// What the section that counts before `Common` is called, where there is one.
  public var environment: String? { files.environment }

  /// Whether a key looks like a secret's: one of its words is key, private or pin, or begins or ends
  /// with secret, token, password, passwd, passphrase, credential or apikey.
  public static func isSecret(_ key: String) -> Bool { ConfigurationSecrets.isSecret(key) }

  /// Logs a problem that nobody else is told of.
  private static let log: @Sendable (ConfigurationError) -> Void = { logger.error("\($0)") }

  private static let logger = Logger(label: "keepsake.configuration")
}

extension EnvironmentConfiguration: CustomStringConvertible, CustomReflectable {
  /// The environment and the keys, without their values.
  public var description: String {
    "EnvironmentConfiguration(\(environment ?? "Common"): \(keys.joined(separator: ", ")))"
  }

  /// The environment alone: what a dump goes into shows every value.
  public var customMirror: Mirror { Mirror(self, children: ["environment": environment as Any]) }
}
#endif
