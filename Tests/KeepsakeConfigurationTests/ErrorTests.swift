#if Configuration
import Foundation
import KeepsakeCoding
import KeepsakeConfiguration
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("The errors of a configuration") struct ErrorTests {
  struct Settings: Decodable {
    enum Level: String, Decodable, CaseIterable { case info, verbose }
    struct Server: Decodable {
      let host: String
      let port: UInt16
    }
    let baseApiUrl: URL
    let logLevel: Level
    let retries: Int
    let timeout: Double?
    let server: Server
    let fallbacks: [Server]
    let limits: [String: Int]
    let since: Date
    let last: String
  }

  static let json = """
    {
      "Common": {
        "logLevel": "vrebose",
        "retries": "three",
        "timeout": true,
        "server": {"port": 70000},
        "fallbacks": [
          {"host": "a", "port": 80},
          {"host": 5}
        ],
        "since": [1]
      }
    }
    """

  static let yaml = """
    Common:
      logLevel: vrebose
      retries: three
      timeout: true
      server: {port: 70000}
      fallbacks:
        - {host: a, port: 80}
        - host: 5
      since: [1]
    """

  static let plist = """
    <plist>
    <dict>
    <key>Common</key>
    <dict>
    <key>logLevel</key><string>vrebose</string>
    <key>retries</key>
    <string>three</string>
    <key>timeout</key> <true/>
    <key>server</key><dict><key>port</key><integer>70000</integer></dict>
    <key>fallbacks</key>
    <array>
    <dict><key>host</key><string>a</string><key>port</key><integer>80</integer></dict>
    <dict><key>host</key><integer>5</integer></dict>
    </array>
    <key>since</key><array><integer>1</integer></array>
    </dict>
    </dict>
    </plist>
    """

  static let keys = [
    "baseApiUrl", "logLevel", "retries", "timeout", "server.host", "server.port",
    "fallbacks[1].host", "fallbacks[1].port", "limits", "since", "last",
  ]

  @Test(
    "are thrown together, each with its line and column",
    arguments: [
      (
        "config.json", Self.json,
        [
          "2:13", "3:17", "4:16", "5:16", "6:15", "6:24", "9:16", "9:7", "2:13", "11:14", "2:13",
        ]
      ),
      (
        "config.yaml", Self.yaml,
        ["2:3", "2:13", "3:12", "4:12", "5:11", "5:18", "8:13", "8:7", "2:3", "9:10", "2:3"]
      ),
      (
        "config.plist", Self.plist,
        [
          "4:1", "5:28", "7:9", "8:20", "9:18", "9:39", "13:22", "13:1", "4:1", "15:17", "4:1",
        ]
      ),
    ] as [(String, String, [String])])
  func all(name: String, text: String, locations: [String]) throws {
    let path = FilePath("/etc").appending(name)
    let configuration = try EnvironmentConfiguration(
      on: try Sample.disk(text, at: path), file: path)
    let errors = try #require(throws: ConfigurationErrors.self) {
      try configuration.decode(Settings.self)
    }
    #expect(errors.all.map { $0.key ?? "" } == Self.keys)
    #expect(
      errors.all.map(\.code) == [
        .missing, .wrongType, .wrongType, .wrongType, .missing, .wrongType, .wrongType, .missing,
        .missing, .wrongType, .missing,
      ])
    #expect(errors.all.map(\.location) == locations)
    #expect(errors.all.allSatisfy { $0.file == path })
    #expect(errors.unfinished.isEmpty)
    #expect("\(errors)".split(separator: "\n").count == Self.keys.count)
  }

  @Test("say what was found and what was expected") func messages() throws {
    let configuration = try EnvironmentConfiguration(
      on: try Sample.disk(Self.json, at: "/config.json"), file: "/config.json")
    let errors = try #require(throws: ConfigurationErrors.self) {
      try configuration.decode(Settings.self)
    }
    #expect(
      errors.all[2].description
        == "/config.json:4:16: expected Int, found a string 'three' in section 'Common' "
        + "(key 'retries')")
    #expect(errors.all[1].message.contains("vrebose"))
    #expect(errors.all[9].message == "expected Date, found an array in section 'Common'")
  }

  @Test("in an override have no location in the file, and long values are cut") func override()
    throws
  {
    struct Server: Decodable { let host: String }
    let configuration = try EnvironmentConfiguration(on: try Sample.disk())
    try configuration.setOverride([["port": 1]], for: "Servers")
    let error = try #require(throws: ConfigurationError.self) {
      try configuration.value(for: "Servers", as: [Server].self)
    }
    #expect(error.code == .missing)
    #expect(error.key == "Servers[0].host")
    #expect(error.file == nil)
    #expect(error.line == nil)
    try configuration.setOverride(.string(String(repeating: "x", count: 1000)), for: "Long")
    let long = try #require(throws: ConfigurationError.self) {
      try configuration.value(for: "Long", as: Int.self)
    }
    #expect(long.message.count < 150)
  }

  @Test("are not thrown for a type that tries several forms") func either() throws {
    enum Either: Decodable, Equatable {
      case number(Int)
      case text(String)
      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
          self = .number(try container.decode(Int.self))
        } catch DecodingError.typeMismatch {
          self = .text(try container.decode(String.self))
        }
      }
    }
    struct Settings: Decodable {
      let logLevel: Either
      let retries: Either
      let missing: String
    }
    let configuration = try EnvironmentConfiguration(on: try Sample.disk())
    #expect(try configuration.value(for: "LogLevel") == Either.text("info"))
    #expect(try configuration.value(for: "Retries") == Either.number(3))
    let errors = try #require(throws: ConfigurationErrors.self) {
      try configuration.decode(Settings.self)
    }
    #expect(errors.all.map(\.key) == ["missing"])
  }

  @Test("include those that types throw themselves, and name what was not checked")
  func typesThatThrow() throws {
    struct Percentage: Decodable {
      init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer().decode(Int.self)
        guard (1...100).contains(value) else {
          throw DecodingError.dataCorrupted(
            .init(codingPath: decoder.codingPath, debugDescription: "not between 1 and 100"))
        }
      }
    }
    struct Settings: Decodable {
      let first: Int
      let share: Percentage
      let after: Int
    }
    let configuration = try EnvironmentConfiguration(
      on: try Sample.disk("{\"Common\":\n{\"share\": 120}}", at: "/config.json"),
      file: "/config.json")
    let errors = try #require(throws: ConfigurationErrors.self) {
      try configuration.decode(Settings.self)
    }
    #expect(errors.all.map(\.key) == ["first", "share"])
    #expect(errors.all[1].message == "the value is not a valid Percentage: not between 1 and 100")
    #expect(errors.all[1].location == "2:11")
    #expect(errors.unfinished == ["share"])
    #expect("\(errors)".hasSuffix("\nwhat follows 'share' was not checked"))
  }

  @Test("of one key are thrown, or reported if a default is used") func oneKey() throws {
    let problems = Problems()
    let configuration = try EnvironmentConfiguration(
      on: try Sample.disk(), problems: problems)
    #expect(throws: ConfigurationError.self) {
      try configuration.value(for: "LogLevel", default: 5)
    }
    #expect(problems.all.isEmpty)
    #expect(configuration["LogLevel", default: 5] == 5)
    #expect(configuration["log_level", default: 5] == 5)
    #expect(configuration["Missing", default: 6] == 6)
    #expect(problems.all.map(\.code) == [.wrongType])
    #expect(problems.all.map(\.location) == ["7:13"])
    try configuration.setOverride(1, for: "Other")
    #expect(configuration["LogLevel", default: 5] == 5)
    #expect(problems.all.count == 2)
  }
}
#endif
