#if Configuration
import Configuration
import KeepsakeBase
import KeepsakeCoding
import KeepsakeTestSupport
import SystemPackage
import Testing

@testable import KeepsakeConfiguration

@Suite("Secrets in a configuration") struct RedactionTests {
  static let secret = "hunter2"

  static let json = """
    {
      "Common": {
        "AppCenterKey": "hunter2",
        "Github": {"access_token": "hunter2", "user": "ann"},
        "Backends": [{"host": "a", "password": "hunter2"}],
        "Passphrases": ["hunter2"],
        "Retries": 3
      }
    }
    """

  static func configuration(_ problems: Problems? = nil) throws -> EnvironmentConfiguration {
    try EnvironmentConfiguration(
      on: try Sample.disk(json, at: "/config.json"), file: "/config.json",
      arguments: ["--session-token", secret], variables: ["DB_PASSWORD": secret],
      problems: problems)
  }

  @Test(
    "are recognized by their names",
    arguments: [
      ("AppCenterKey", true), ("apiKeys", true), ("Stripe.SecretName", true), ("DB_PASSWORD", true),
      ("refreshToken", true), ("PRIVATE", true), ("Pin", true), ("MAPBOX_APIKEY", true),
      ("KeyboardLayout", false), ("Monkey", false), ("BaseApiUrl", false), ("Spinner", false),
    ])
  func names(name: String, isSecret: Bool) {
    #expect(EnvironmentConfiguration.isSecret(name) == isSecret)
  }

  @Test("are in no description, explanation, dump, error or report") func nowhere() throws {
    let problems = Problems()
    let configuration = try Self.configuration(problems)
    let keys = [
      "AppCenterKey", "Github", "Github.AccessToken", "Backends", "Passphrases", "SessionToken",
      "DbPassword",
    ]
    var texts = [configuration.description, String(reflecting: configuration)]
    var dumped = ""
    dump(configuration, to: &dumped)
    texts.append(dumped)
    for key in keys {
      texts.append("\(configuration.explain(key))")
      // Each has a value, and no secret is a number.
      let error = try #require(throws: ConfigurationError.self) {
        try configuration.value(for: key, as: Int.self)
      }
      #expect(error.code == .wrongType)
      texts += ["\(error)", String(reflecting: error)]
      _ = configuration[key, default: 5]
      // It was requested as a number.
      for value in [PropertyList.Value.string(Self.secret), [.string(Self.secret)]] {
        let refusal = try #require(throws: ConfigurationError.self) {
          try configuration.setOverride(value, for: key)
        }
        texts.append("\(refusal)")
      }
      let refusal = try #require(throws: ConfigurationError.self) {
        try configuration.setOverride(text: Self.secret, for: key)
      }
      texts.append("\(refusal)")
    }
    texts += problems.all.map(String.init(reflecting:))
    for text in texts { #expect(!text.contains(Self.secret), "\(text)") }
    #expect(
      configuration.explain("Github").values[0].text == "{access_token: <redacted>, user: ann}")
    #expect(configuration.explain("Retries").values[0].text == "3")
    #expect(configuration.explain("SessionToken").values[0].text == "<redacted>")
  }

  @Test("are in no error of a type that refuses them") func refused() throws {
    enum Level: String, Decodable { case info }
    struct Checked: Decodable {
      init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        throw Refusal(text: try values.decode(String.self, forKey: .password))
      }
      enum Key: CodingKey { case password }
      struct Refusal: Error { let text: String }
    }
    struct Settings: Decodable {
      let appCenterKey: Level?
      let backends: [Backend]?
      let passphrases: [Level]?
      let sessionToken: [Level]?
    }
    struct Backend: Decodable { let password: Level }
    let configuration = try Self.configuration()
    let errors = try #require(throws: ConfigurationErrors.self) {
      try configuration.decode(Settings.self)
    }
    #expect(
      errors.all.map(\.key) == [
        "appCenterKey", "backends[0].password", "passphrases[0]", "sessionToken[0]",
      ])
    #expect(!"\(errors)".contains(Self.secret))
    let own = try #require(throws: ConfigurationError.self) {
      try configuration.value(for: "Backends", as: [Checked].self)
    }
    #expect(own.message == "the value is not a valid Checked")
  }

  @Test(
    "are in no error of a file that cannot be read",
    arguments: [
      ("/a.json", "{\"Common\": {\"apiKey\": \"hunter2\" x}}"),
      ("/a.yaml", "Common:\n  apiKey: \"hunter2\n"),
      (
        "/a.plist",
        "<plist><dict><key>Common</key><dict><key>apiKey</key><integer>hunter2</integer>"
      ),
    ])
  func unreadable(path: String, text: String) throws {
    let error = try #require(throws: ConfigurationError.self) {
      try EnvironmentConfiguration(
        on: try Sample.disk(text, at: .init(path)), file: .init(path))
    }
    #expect(error.code == .unreadable)
    #expect(error.line != nil)
    #expect(!String(reflecting: error).contains(Self.secret))
  }

  @Test("can be chosen") func chosen() throws {
    func text(_ secrets: SecretsSpecifier<String, String>, _ key: String) throws -> String {
      let configuration = try EnvironmentConfiguration(
        file: "/config.json", arguments: [], variables: [:], secrets: secrets,
        fileSystem: try Sample.disk(Self.json, at: "/config.json"))
      return configuration.explain(key).values[0].text
    }
    #expect(try text(.none, "AppCenterKey") == Self.secret)
    #expect(try text(.all, "Retries") == "<redacted>")
    #expect(try text(.specific(["github"]), "Github.user") == "<redacted>")
    #expect(try text(.specific(["RETRIES"]), "Retries") == "<redacted>")
    #expect(try text(.dynamic { name, _ in name == "Retries" }, "RETRIES") == "<redacted>")
    #expect(try text(.dynamic { _, value in value == "3" }, "Retries") == "<redacted>")
  }

  @Test("are marked as secret for the reader's own reports") func reader() throws {
    final class Reporter: AccessReporter {
      let texts = Mutex<[String]>([])
      func report(_ event: AccessEvent) { texts.withLock { $0.append("\(event)") } }
    }
    let reporter = Reporter()
    let reader = ConfigReader(
      provider: LayersProvider(try Self.configuration()), accessReporter: reporter)
    #expect(reader.string(forKey: "AppCenterKey") == Self.secret)
    #expect(reader.int(forKey: "AppCenterKey") == nil)
    #expect(reader.string(forKey: "github.accessToken") == Self.secret)
    #expect(reader.string(forKey: "sessionToken") == Self.secret)
    let results = reporter.texts.withLock { $0 }
    #expect(results.count == 4)
    let snapshot = LayersProvider(try Self.configuration()).snapshot()
    let value = try snapshot.value(forKey: "AppCenterKey", type: .string)
    #expect(value.value?.isSecret == true)
    #expect(!"\(String(describing: value.value))".contains(Self.secret))
  }
}
#endif
