#if Configuration
import Configuration
import KeepsakeCoding
import KeepsakeConfiguration
import KeepsakeTesting
import SystemPackage
import Testing

@Suite("The layers of a configuration") struct PrecedenceTests {
  /// The layers in order of precedence.
  static let rows = ["overrides", "arguments", "variables", "section", "common", "default"]

  /// A configuration with a value in some layers, which is the layer's name.
  static func configuration(
    with rows: Set<String>, key: String = "BaseApiUrl", argument: String = "--base-api-url",
    variable: String = "BASE_API_URL"
  ) throws -> EnvironmentConfiguration {
    func section(_ name: String) -> PropertyList.Value {
      rows.contains(name) ? .dictionary([key: .string(name)]) : .dictionary(["Other": 1])
    }
    let file: PropertyList.Value = ["Local": section("section"), "Common": section("common")]
    let disk = SimulatedDisk()
    try disk.write(file.serializedXML(), to: Sample.path)
    let configuration = try EnvironmentConfiguration(
      on: disk, environment: "Local",
      arguments: rows.contains("arguments") ? [argument, "arguments"] : [],
      variables: rows.contains("variables") ? [variable: "variables"] : [:])
    if rows.contains("overrides") { try configuration.setOverride("overrides", for: key) }
    return configuration
  }

  @Test("take precedence in their order, in every combination", arguments: 0..<32)
  func everyCombination(bits: Int) throws {
    let present = Set(
      Self.rows.dropLast().enumerated().filter { bits >> $0.offset & 1 == 1 }
        .map(\.element))
    let configuration = try Self.configuration(with: present)
    let expected = Self.rows.first { present.contains($0) } ?? "default"
    #expect(try configuration.value(for: "BaseApiUrl", default: "default") == expected)
    #expect(configuration["BaseApiUrl", default: "default"] == expected)
    #expect(configuration.reader.string(forKey: "BaseApiUrl", default: "default") == expected)
    struct Settings: Decodable { let baseApiUrl: String? }
    #expect(try configuration.decode(Settings.self).baseApiUrl ?? "default" == expected)
    let explanation = configuration.explain("BaseApiUrl")
    #expect(explanation.values.map(\.text) == Self.rows.filter(present.contains))
    #expect(explanation.values.filter(\.counts).map(\.text) == (bits == 0 ? [] : [expected]))
  }

  @Test("are searched for each value in a dictionary", arguments: 0..<32)
  func nested(bits: Int) throws {
    let present = Set(
      Self.rows.dropLast().enumerated().filter { bits >> $0.offset & 1 == 1 }
        .map(\.element))
    let configuration = try Self.configuration(
      with: present, key: "Server.Host", argument: "--server-host", variable: "SERVER_HOST")
    struct Settings: Decodable {
      struct Server: Decodable { let host: String? }
      let server: Server?
    }
    let expected = Self.rows.first { present.contains($0) } ?? "default"
    #expect(try configuration.value(for: "server.host", default: "default") == expected)
    let inFile = !present.isDisjoint(with: ["overrides", "section", "common"])
    // Only a file can add an optional structure.
    #expect(
      try configuration.decode(Settings.self).server?.host ?? "default"
        == (inFile ? expected : "default"))
  }

  @Test("form one dictionary, and another value hides the dictionaries below it") func merging()
    throws
  {
    let disk = try Sample.disk(
      """
      {
        "Common": {"Server": {"Host": "a", "Port": 80}, "Limits": {"max": 1}, "Hosts": ["a", "b"]},
        "Local": {"server": {"port": 8080}, "Limits": 5, "Hosts": ["c"]}
      }
      """, at: "/config.json")
    let configuration = try EnvironmentConfiguration(
      on: disk, file: "/config.json", environment: "Local")
    struct Server: Decodable, Equatable {
      let host: String
      let port: Int
    }
    #expect(try configuration.value(for: "Server") == Server(host: "a", port: 8080))
    #expect(try configuration.value(for: "Limits") == 5)
    #expect(try configuration.value(for: "Limits.max", as: Int?.self) == nil)
    #expect(try configuration.value(for: "Hosts") == ["c"])
    #expect(configuration.keys == ["Hosts", "Limits", "server.Host", "server.port"])
  }

  @Test("use the environment of the command line, of a variable, or of the program")
  func environment() throws {
    let disk = try Sample.disk()
    func url(_ arguments: [String], _ variables: [String: String]) throws -> String? {
      let configuration = try EnvironmentConfiguration(
        on: disk, environment: "Local", arguments: arguments, variables: variables)
      return try configuration.value(for: "BaseApiUrl", as: String?.self)
    }
    let production = ["CONFIG_ENVIRONMENT": "Production"]
    #expect(try url([], [:]) == "http://localhost:3000")
    #expect(try url([], production) == "https://api.example.com")
    #expect(try url(["--config-environment", "Local"], production) == "http://localhost:3000")
    #expect(try url(["--config-environment=Common"], production) == nil)
    let none = try EnvironmentConfiguration(on: disk)
    #expect(none.environment == nil)
    #expect(none.keys == ["AppCenterKey", "LogLevel", "Retries"])
  }

  @Test("are an error if the file has no section for the environment") func unknown() throws {
    let disk = try Sample.disk()
    let error = try #require(throws: ConfigurationError.self) {
      try EnvironmentConfiguration(on: disk, environment: "Staging")
    }
    #expect(error.code == .unknownEnvironment)
    #expect(error.message.contains("'Common', 'Local', 'Production'"))
  }

  @Test("list the keys that were requested and are in an argument") func keys() throws {
    let configuration = try EnvironmentConfiguration(
      on: try Sample.disk(), environment: "Local", arguments: ["--proxy", "p", "--never-asked"],
      variables: ["PATH": "/bin"])
    #expect(configuration.keys == ["AppCenterKey", "BaseApiUrl", "LogLevel", "Retries"])
    #expect(try configuration.value(for: "proxy") == "p")
    #expect(configuration.keys == ["AppCenterKey", "BaseApiUrl", "LogLevel", "Retries", "proxy"])
  }
}
#endif
