#if Configuration
import Foundation
import KeepsakeCoding
import KeepsakeConfiguration
import KeepsakeTestSupport
import Synchronization
import SystemPackage
import Testing

private enum LogLevel: String, Decodable { case info, verbose }

private struct Settings: Decodable {
  let baseApiUrl: URL
  let logLevel: LogLevel
  let retries: Int?
}

private protocol ApiConfiguration {
  var baseApiUrl: URL { get }
  var logLevel: LogLevel { get }
}

extension Settings: ApiConfiguration {}  // read and checked once

extension EnvironmentConfiguration: ApiConfiguration {  // live
  fileprivate var baseApiUrl: URL {
    self["BaseApiUrl", default: URL(string: "https://api.example.com")!]
  }
  fileprivate var logLevel: LogLevel { self["LogLevel", default: .info] }
}

@Suite("The chapter about configuration") struct DocumentationTests {
  @Test("has snippets that are compiled here") func snippets() throws {
    let missing = try linesOfSnippets(inArticle: "Configuration", missingFrom: #filePath)
    // Without `private` they would be seen by other tests.
    let declarations = [
      "struct Settings", "protocol ApiConfiguration", "var logLevel: LogLevel",
      "var baseApiUrl: URL {",
    ]
    #expect(missing.filter { line in !declarations.contains { line.hasPrefix($0) } } == [])
  }

  func read() async throws {
    let configuration = try EnvironmentConfiguration(file: "/etc/example/config.plist")
    let settings = try configuration.decode(Settings.self)  // once: all errors are thrown together
    let timeout = try configuration.value(for: "Timeout", default: 30.0)
    for await level in configuration.values(of: "LogLevel", default: "info") {
      print(level)  // the current value, then each change
    }
    print(settings, timeout)

    let current = Mutex(settings)
    for await settings in configuration.values(decoding: Settings.self) {  // never wrong ones
      current.withLock { $0 = settings }
    }

    try configuration.setOverride(text: "verbose", for: "LogLevel")  // from a console
    try configuration.removeOverride(for: "LogLevel")
  }

  @Test("does what it says about protocols") func protocols() throws {
    let configuration = try EnvironmentConfiguration(dictionary: ["LogLevel": "verbose"])
    #expect(configuration.logLevel == .verbose)
    #expect(configuration.baseApiUrl.absoluteString == "https://api.example.com")
  }
}
#endif
