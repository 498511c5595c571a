#if Configuration
import Configuration
import Foundation
import KeepsakeCoding
import KeepsakeFiles
import KeepsakeTesting
import SystemPackage
import Testing

@testable import KeepsakeConfiguration

@Suite("Configuration files") struct FormatTests {
  struct Settings: Decodable, Equatable {
    struct Server: Decodable, Equatable {
      let host: String
      let ports: [Int]
    }
    let servers: [Server]
    let since: Date
    let blob: Data
    let ratio: Double
    let isOn: Bool
    let limits: [String: Int]
    let proxy: String?
  }

  static let expected = Settings(
    servers: [.init(host: "a", ports: [80, 443]), .init(host: "b", ports: [])],
    since: Date(timeIntervalSince1970: 1_538_491_815), blob: Data([1, 2, 3]), ratio: 2.5,
    isOn: true, limits: ["Max-Size": 10, "min_size": 1], proxy: nil)

  static let tree: PropertyList.Value = [
    "Common": [
      "Servers": [["Host": "a", "Ports": [80, 443]], ["Host": "b", "Ports": []]],
      "Since": .date(expected.since), "Blob": .data(expected.blob), "Ratio": 2.5, "IsOn": true,
      "Limits": ["Max-Size": 10, "min_size": 1],
    ]
  ]

  static let json = """
    {
      // What every environment has.
      "Common": {
        "servers": [{"host": "a", "ports": [80, 443]}, {"host": "b", "ports": []}],
        "since": "2018-10-02T14:50:15Z", "blob": "AQID", "ratio": 2.5, "isOn": true,
        "limits": {"Max-Size": 10, "min_size": 1},
        "proxy": null,
      },
    }
    """

  static let yaml = """
    # What every environment has.
    Common:
      servers:
        - host: a
          ports: [80, 443]
        - {host: b, ports: []}
      since: 2018-10-02T14:50:15Z
      blob: !!binary AQID
      ratio: 2.5
      is_on: true
      limits: {Max-Size: 10, min_size: 1}
      proxy: ~
    """

  static let openStep = """
    {
      /* What every environment has. */
      Common = {
        servers = ({host = a; ports = (80, 443);}, {host = b; ports = ();});
        since = "2018-10-02T14:50:15Z";
        blob = <010203>;
        ratio = 2.5;
        "is_on" = YES;
        limits = {"Max-Size" = 10; "min_size" = 1;};
      };
    }
    """

  @Test(
    "have the same values in every format",
    arguments: [
      ("config.plist", Self.tree.serializedXML()),
      ("binary.plist", Self.tree.serializedBinary()),
      ("text.plist", Array(Self.openStep.utf8)),
      ("config.json", Array(Self.json.utf8)), ("config.yaml", Array(Self.yaml.utf8)),
      ("config.yml", Array(Self.yaml.utf8)),
    ])
  func formats(name: String, bytes: [UInt8]) throws {
    let disk = SimulatedDisk()
    let path = FilePath("/etc").appending(name)
    try disk.write(bytes, to: path)
    let configuration = try EnvironmentConfiguration(on: disk, file: path)
    #expect(try configuration.decode(Settings.self) == Self.expected)
    #expect(try configuration.value(for: "Limits.max_size") == 10)
  }

  @Test("in YAML can contain anchors and merge keys, whose values have locations") func merging()
    throws
  {
    let yaml = """
      Common:
        base: &base
          host: a
          port: many
        extra: &extra {user: ann, host: z}
        servers:
          - <<: *base
            host: b
          - <<: [*base, *extra]
      """
    let configuration = try EnvironmentConfiguration(
      on: try Sample.disk(yaml, at: "/config.yaml"), file: "/config.yaml")
    struct Server: Decodable, Equatable {
      let host: String
      let user: String?
    }
    #expect(
      try configuration.value(for: "servers")
        == [Server(host: "b", user: nil), Server(host: "a", user: "ann")])
    struct Numbered: Decodable { let port: Int }
    let error = try #require(throws: ConfigurationError.self) {
      try configuration.value(for: "servers", as: [Numbered].self)
    }
    #expect(error.location == "4:11")
  }

  @Test("in OpenStep's format contain strings, which are read as the requested types")
  func openStepTexts() throws {
    let configuration = try EnvironmentConfiguration(
      on: try Sample.disk(Self.openStep, at: "/config.plist"), file: "/config.plist")
    #expect(try configuration.value(for: "ratio") == "2.5")
    #expect(configuration.reader.double(forKey: "ratio") == 2.5)
    #expect(configuration.reader.intArray(forKey: "limits") == nil)
    struct Server: Decodable { let ports: [Bool] }
    let error = try #require(throws: ConfigurationError.self) {
      try configuration.value(for: "servers", as: [Server].self)
    }
    #expect(error.code == .wrongType)
    #expect(error.key == "servers[0].ports[0]")
    #expect(error.location == "4:36")
  }

  @Test("contain numbers of any size, which are never rounded") func numbers() throws {
    let json = #"{"Common": {"a": 18446744073709551615, "b": 1e999, "c": 1.0, "d": 1.5}}"#
    let configuration = try EnvironmentConfiguration(
      on: try Sample.disk(json, at: "/config.json"), file: "/config.json")
    #expect(try configuration.value(for: "a") == UInt64.max)
    #expect(try configuration.value(for: "c") == 1)
    for (key, type) in [("a", "Int"), ("b", "Double"), ("d", "Int")] {
      #expect(throws: ConfigurationError.self) {
        if type == "Int" {
          _ = try configuration.value(for: key, as: Int.self)
        } else {
          _ = try configuration.value(for: key, as: Double.self)
        }
      }
    }
  }

  @Test(
    "that cannot be read are an error with line and column",
    arguments: [
      ("a.plist", "<plist>\n<dict>\n<key>Common</key>\n<dikt/></dict></plist>", "4:1"),
      ("a.json", "{\n  \"Common\": {\n    \"a\": tru\n  }\n}", "3:10"),
      ("a.yaml", "Common:\n  a: 1\n b: 2\n", "3:2"),
      ("a.json", "{\"Common\": {\"a\": 1,\n \"a\": 2}}", "2:2"),
      ("a.json", "{\"Common\": {\"logLevel\": 1,\n \"log_level\": 2}}", "2:15"),
      ("a.json", "{\"Common\": {},\n \"LogLevel\": \"info\"}", "2:14"),
      ("a.json", "[]", "1:1"),
    ])
  func unreadable(name: String, text: String, location: String) throws {
    let path = FilePath("/etc").appending(name)
    let disk = try Sample.disk(text, at: path)
    let error = try #require(throws: ConfigurationError.self) {
      try EnvironmentConfiguration(on: disk, file: path)
    }
    #expect(error.code == .unreadable)
    #expect(error.file == path)
    #expect(error.location == location)
    #expect("\(error)".hasPrefix("/etc/\(name):\(location): "))
  }

  @Test("that do not exist or cannot be read are never treated as empty")
  func unavailable() throws {
    let disk = try Sample.disk()
    func code(_ path: FilePath) throws -> ConfigurationError.Code {
      try #require(throws: ConfigurationError.self) {
        try EnvironmentConfiguration(on: disk, file: path)
      }.code
    }
    #expect(try code("/etc/other.plist") == .unavailable)
    #expect(try code("/etc") == .unavailable)
    disk.failAlways(.read)
    #expect(try code(Sample.path) == .unavailable)
    disk.stopFailing()
    try disk.write("Common: {}".utf8, to: "/etc/config.toml")
    #expect(try code("/etc/config.toml") == .unreadable)
  }

  @Test("are found beside the executable, then in its resources") func beside() throws {
    let disk = SimulatedDisk()
    let files: [FilePath] = [
      "/app/bin/config.plist", "/app/bin/config.json", "/app/bin/z_App.resources/config.yaml",
      "/app/bin/a_Library.resources/config.yaml", "/app/bin/b_Library.bundle/config.plist",
      "/app/Resources/config.plist",
    ]
    for file in files { try disk.write([], to: file) }
    for file in files {
      let found = try EnvironmentConfiguration.file(besideExecutable: "/app/bin/App", in: disk)
      #expect(found == file)
      try disk.remove(file)
    }
    let error = try #require(throws: ConfigurationError.self) {
      try EnvironmentConfiguration.file(besideExecutable: "/app/bin/App", in: disk)
    }
    #expect(error.code == .unavailable)
    #expect(error.file == "/app/bin")
    // The program that runs these tests has none.
    let own = try #require(throws: ConfigurationError.self) { try EnvironmentConfiguration() }
    #expect(own.code == .unavailable)
    #expect(own.file?.isAbsolute == true)
  }
}
#endif
