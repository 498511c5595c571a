#if Configuration
import Foundation
import KeepsakeCoding
import KeepsakeConfiguration
import KeepsakeFiles
import KeepsakeTestSupport
import SystemPackage
import Testing

// B20: each accessor as the document has it, but that a key which is missing does not end the program.
extension EnvironmentConfiguration {
  fileprivate var baseApiUrl: String { self["BaseApiUrl", default: ""] }
  fileprivate var logLevel: String { self["LogLevel", default: "info"] }
  fileprivate var googleClientId: String { self["GoogleClientId", default: ""] }
  fileprivate var oneSignalAppId: String { self["OneSignalAppId", default: ""] }
  fileprivate var appCenterKey: String { self["AppCenterKey", default: ""] }
}

// B22.
private protocol NSScreencastConfiguration {
  var baseApiUrl: String { get }
  var logLevel: String { get }
  var googleClientId: String { get }
  var oneSignalAppId: String { get }
  var appCenterKey: String { get }
}

extension EnvironmentConfiguration: NSScreencastConfiguration {}

/// The same protocol by values that were checked when the program started.
private struct CheckedConfiguration: NSScreencastConfiguration, Decodable {
  let baseApiUrl: String
  let logLevel: String
  let googleClientId: String
  let oneSignalAppId: String
  let appCenterKey: String
}

private struct ApiClient {
  let baseUrl: String
}

/// What the document's view controller is to it: it depends on the protocol alone.
private struct Screen {
  let config: any NSScreencastConfiguration
  var logsAllTheThings: Bool { config.logLevel == "verbose" }
}

@Suite("The document about configuration") struct ListingTests {
  private static let entries = """
    <plist><dict>
    <key>Common</key><dict>
      <key>LogLevel</key><string>info</string>
      <key>GoogleClientId</key><string>google</string>
      <key>OneSignalAppId</key><string>onesignal</string>
      <key>AppCenterKey</key><string>appcenter</string>
    </dict>
    <key>Local</key><dict>
      <key>BaseApiUrl</key><string>http://localhost:3000</string>
      <key>LogLevel</key><string>verbose</string>
    </dict>
    <key>Production</key><dict>
      <key>BaseApiUrl</key><string>https://nsscreencast.com</string>
    </dict>
    </dict></plist>
    """

  private static func configuration(
    _ environment: String, in file: String = entries
  ) throws -> EnvironmentConfiguration {
    try withTemporaryDirectory { directory in
      let path = directory.appending("config.plist")
      try Data(file.utf8).write(to: URL(filePath: path.string))
      return try EnvironmentConfiguration(
        on: LocalFileSystem(), file: path, environment: environment)
    }
  }

  @Test("B19: what all environments have can be overridden in one") func common() throws {
    let local = try Self.configuration("Local")
    #expect(local.logLevel == "verbose")
    #expect(local.baseApiUrl == "http://localhost:3000")
    #expect(local.googleClientId == "google")
    let production = try Self.configuration("Production")
    #expect(production.logLevel == "info")
    #expect(production.baseApiUrl == "https://nsscreencast.com")
  }

  @Test("B19: a dictionary stands for the file in tests") func dictionary() throws {
    let config = try EnvironmentConfiguration(dictionary: [
      "BaseApiUrl": "http://test", "LogLevel": "verbose", "AppCenterKey": "k",
    ])
    #expect(config.baseApiUrl == "http://test")
    #expect(config.appCenterKey == "k")
    #expect(config.environment == nil)
  }

  @Test("B20: accessors are typed, by the keys of the file") func accessors() throws {
    let config = try Self.configuration("Production")
    #expect(config.oneSignalAppId == "onesignal")
    #expect(config.appCenterKey == "appcenter")
    let checked = try config.decode(CheckedConfiguration.self)
    #expect(checked.baseApiUrl == config.baseApiUrl)
    #expect(checked.appCenterKey == config.appCenterKey)
  }

  @Test("B21: a component is made of its values") func use() throws {
    let config = try Self.configuration("Local")
    let apiClient = ApiClient(baseUrl: config.baseApiUrl)
    #expect(apiClient.baseUrl == "http://localhost:3000")
  }

  @Test("B22, B23: a component depends on a protocol of the app's own") func abstraction() throws {
    let config = try Self.configuration("Local")
    #expect(Screen(config: config).logsAllTheThings)
    #expect(Screen(config: try config.decode(CheckedConfiguration.self)).logsAllTheThings)
    struct Fake: NSScreencastConfiguration {
      let baseApiUrl = ""
      let logLevel = "info"
      let googleClientId = ""
      let oneSignalAppId = ""
      let appCenterKey = ""
    }
    #expect(!Screen(config: Fake()).logsAllTheThings)
  }

  @Test("a console changes values while the program runs") func console() throws {
    let config = try Self.configuration("Production")
    let screen = Screen(config: config)
    #expect(!screen.logsAllTheThings)
    try config.setOverride(text: "verbose", for: "LogLevel")
    #expect(screen.logsAllTheThings)
    #expect("\(config.explain("LogLevel"))".contains("→ overrides: verbose"))
  }
}
#endif
