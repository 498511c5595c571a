#if Configuration
import KeepsakeCoding
import KeepsakeConfiguration
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@Suite("A configuration file without sections") struct FlatFileTests {
  static let yaml = """
    logLevel: info
    server: {host: a, port: 80}
    secretKeys: [hunter2]
    """

  static func configuration(
    _ text: String = yaml, at path: FilePath = "/config.yaml", hasSections: Bool = false,
    environment: String? = nil, arguments: [String] = [], variables: [String: String] = [:]
  ) throws -> EnvironmentConfiguration {
    try EnvironmentConfiguration(
      file: path, hasSections: hasSections, environment: environment,
      arguments: ["app"] + arguments, variables: variables,
      fileSystem: try Sample.disk(text, at: path))
  }

  @Test(
    "is read if the app says so, in every format",
    arguments: [
      ("/config.yaml", Self.yaml),
      (
        "/config.json",
        #"{"logLevel": "info", "server": {"host": "a", "port": 80}, "secretKeys": ["hunter2"]}"#
      ),
      (
        "/config.plist",
        "{logLevel = info; server = {host = a; port = 80;}; secretKeys = (hunter2);}"
      ),
    ])
  func formats(path: String, text: String) throws {
    let configuration = try Self.configuration(text, at: FilePath(path))
    #expect(try configuration.value(for: "LogLevel") == "info")
    #expect(try configuration.value(for: "Server.Port") == 80)
    #expect(configuration.keys == ["logLevel", "secretKeys", "server.host", "server.port"])
    #expect("\(configuration.explain("log_level"))" == "log_level:\n→ the file: info")
    #expect("\(configuration.explain("SecretKeys"))".hasSuffix("→ the file: <redacted>"))
  }

  @Test("has the same values in every environment, below arguments and variables")
  func environments() throws {
    let configuration = try Self.configuration(
      environment: "Production", arguments: ["--server-port", "81"],
      variables: ["CONFIG_ENVIRONMENT": "Staging", "LOG_LEVEL": "error"])
    #expect(configuration.environment == nil)
    #expect(try configuration.value(for: "Server.Port") == 81)
    #expect(try configuration.value(for: "LogLevel") == "error")
    #expect(configuration.explain("LogLevel").values.map(\.layer) == [.variables, .file])
  }

  @Test("has errors with places, and is read again when it changes") func errors() throws {
    let disk = try Sample.disk(Self.yaml, at: "/config.yaml")
    let configuration = try EnvironmentConfiguration(
      file: "/config.yaml", hasSections: false, arguments: [], variables: [:], fileSystem: disk)
    let error = try #require(throws: ConfigurationError.self) {
      try configuration.value(for: "Server.Host", as: Int.self)
    }
    #expect(
      "\(error)"
        == "/config.yaml:2:16: expected Int, found a string 'a' in the file (key 'Server.Host')")
    let missing = try #require(throws: ConfigurationError.self) {
      try configuration.value(for: "Server.Name", as: Int.self)
    }
    #expect(missing.location == "2:9")
    try disk.write("logLevel: error".utf8, to: "/config.yaml")
    #expect(try configuration.value(for: "LogLevel") == "error")
    let duplicate = try #require(throws: ConfigurationError.self) {
      try Self.configuration("a_b: 1\naB: 2")
    }
    #expect(duplicate.code == .unreadable)
  }

  @Test("is an error by default, which says what to do") func sections() throws {
    let error = try #require(throws: ConfigurationError.self) {
      try Self.configuration(hasSections: true)
    }
    #expect(error.code == .unreadable)
    #expect(error.key == "logLevel")
    #expect(error.location == "1:11")
    #expect(error.description.hasSuffix("hasSections: false"))
  }
}
#endif
