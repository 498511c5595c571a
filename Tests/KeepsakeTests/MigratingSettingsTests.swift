import Foundation
import Keepsake
import KeepsakeTestSupport
import SystemPackage
import Testing

enum Units: String, Sendable { case metric, imperial }

struct Profile: Codable, Equatable {
  var name: String
  var weight: Double
}

struct OldSettings {
  let defaults = UserDefaults.standard

  var units: Units {
    get { defaults.string(forKey: "units").flatMap(Units.init(rawValue:)) ?? .metric }
    nonmutating set { defaults.set(newValue.rawValue, forKey: "units") }
  }

  var rounds: Int {
    get { defaults.object(forKey: "rounds") == nil ? 3 : defaults.integer(forKey: "rounds") }
    nonmutating set { defaults.set(newValue, forKey: "rounds") }
  }

  var profile: Profile? {
    get {
      guard let data = defaults.data(forKey: "profile") else { return nil }
      return try? JSONDecoder().decode(Profile.self, from: data)
    }
    nonmutating set { defaults.set(try? JSONEncoder().encode(newValue), forKey: "profile") }
  }
}

struct CountdownSettings {
  @AppStorage("units") var units = Units.metric
  @AppStorage("rounds") var rounds = 3
  @AppStorage("lastRun") var lastRun: Date?
  @AppStorage("favorites") var favorites: [String] = []
  @AppStorage("profile") var profile: Profile?
}

struct PlanView {
  @AppStorage("units") var units = Units.metric
  @AppStorage("plan") var plan: [String] = []
  @SceneStorage("selectedTab") var selectedTab = 0
}

struct Theme: Codable, Equatable {
  var name: String
  var hue: Double
}

extension SettingsKey where Value == Double {
  static var quality: Self { SettingsKey("quality", default: 0.8) }
}

extension SettingsKey where Value == Theme {
  static var theme: Self { SettingsKey("theme", default: Theme(name: "Plain", hue: 0.5)) }
}

extension SettingsKey where Value == URL? {
  static var site: Self { SettingsKey("site") }
}

struct QualityView {
  @AppStorage(.quality) var quality: Double
}

/// What `UserDefaults` has stored in a file.
func oldDefaults(in file: String) throws -> [String: PropertyList.Value] {
  guard FileManager.default.fileExists(atPath: file) else { return [:] }
  let bytes = [UInt8](try Data(contentsOf: URL(filePath: file)))
  guard case .dictionary(let values) = try PropertyList.Value(parsing: bytes) else { return [:] }
  return values
}

func importOldDefaults(from file: String, to store: SettingsStore) throws {
  try store.migrate([
    SettingsStore.Migration(to: 1) { settings in
      let old = try oldDefaults(in: file)
      for (name, value) in old {
        settings[SettingsKey<PropertyList.Value?>(name)] = value
      }
      // What was data that contains JSON is a dictionary now, which people can read.
      if case .data(let json)? = old["profile"] {
        settings[SettingsKey<Profile?>("profile")] =
          try JSON.Decoder().decode(Profile.self, from: json)
      }
    }
  ])
}

func importOldPlan(from file: String, to store: SettingsStore) throws {
  try store.migrate([
    SettingsStore.Migration(to: 1) { settings in
      let old = try oldDefaults(in: file)
      settings[SettingsKey("units", default: Units.metric)] =
        old["units"].flatMap(String.init(propertyList:)).flatMap(Units.init(rawValue:)) ?? .metric
      if case .string(let json)? = old["plan"] {
        settings[SettingsKey<[String]?>("plan")] =
          try JSON.Decoder().decode([String].self, from: Data(json.utf8))
      }
    }
  ])
}

/// Decodes a value that was stored as a text that contains JSON.
func decode<Value: Decodable>(_ type: Value.Type, _ old: PropertyList.Value?) throws -> Value? {
  guard case .string(let json)? = old else { return nil }
  return try JSON.Decoder().decode(Value.self, from: Data(json.utf8))
}

func importOldKeys(from file: String, to store: SettingsStore) throws {
  try store.migrate([
    SettingsStore.Migration(to: 1) { settings in
      let old = try oldDefaults(in: file)
      if let quality = old["quality"].flatMap(Double.init(propertyList:)) {
        settings[.quality] = quality
      }
      if let theme = try decode(Theme.self, old["theme"]) { settings[.theme] = theme }
      if let site = try decode(URL.self, old["site"]) { settings[.site] = site }
    }
  ])
}

func startCountdown() throws {
  AppContainer.main = AppContainer(identifier: "com.example.Countdown")
  let variables = ProcessInfo.processInfo.environment
  let directory = variables["XDG_CONFIG_HOME"] ?? variables["HOME", default: ""] + "/.config"
  try importOldDefaults(from: directory + "/Countdown.plist", to: .standard)
}

@Suite("The guide to settings from what an app used before") struct MigratingSettingsTests {
  @Test("has snippets that are compiled here") func snippets() throws {
    #expect(try linesOfSnippets(inArticle: "MigratingSettings", missingFrom: #filePath) == [])
  }

  /// The file that `UserDefaults` of Foundation on Linux wrote for a program.
  private let written = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
    "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    \t<key>favorites</key>
    \t<array>
    \t\t<string>Squat</string>
    \t\t<string>Burpee</string>
    \t</array>
    \t<key>lastRun</key>
    \t<date>2023-11-14T22:13:20Z</date>
    \t<key>profile</key>
    \t<data>
    \teyJuYW1lIjoiQWRhIiwid2VpZ2h0Ijo2MS41fQ==
    \t</data>
    \t<key>rounds</key>
    \t<integer>5</integer>
    \t<key>units</key>
    \t<string>imperial</string>
    </dict>
    </plist>

    """

  @Test("brings over what UserDefaults wrote, once, and none of it if a value is damaged")
  func userDefaults() throws {
    try withTemporaryDirectory { directory in
      let file = directory.appending("Countdown.plist").string
      let container = AppContainer(root: directory, identifier: "com.example.Countdown")
      let store = try SettingsStore(container: container)
      let damaged = written.replacing("eyJuYW1lIjoiQWRhIiwid2VpZ2h0Ijo2MS41fQ==", with: "AAAA")
      try Data(damaged.utf8).write(to: URL(filePath: file))
      #expect(throws: DecodingError.self) { try importOldDefaults(from: file, to: store) }
      #expect(store.names == [])

      try Data(written.utf8).write(to: URL(filePath: file))
      try importOldDefaults(from: file, to: store)
      SettingsStore.withStandard(store) {
        let settings = CountdownSettings()
        #expect(settings.units == .imperial)
        #expect(settings.rounds == 5)
        #expect(settings.lastRun == Date(timeIntervalSince1970: 1_700_000_000))
        #expect(settings.favorites == ["Squat", "Burpee"])
        #expect(settings.profile == Profile(name: "Ada", weight: 61.5))
        settings.rounds = 6
      }
      try importOldDefaults(from: file, to: store)
      #expect(store[SettingsKey("rounds", default: 3)] == 6)
      #expect(try Data(contentsOf: URL(filePath: file)) == Data(written.utf8))
    }
  }

  @Test("converts values that were JSON in a text") func texts() throws {
    try withTemporaryDirectory { directory in
      let file = directory.appending("old.plist").string
      let list: PropertyList.Value = [
        "units": "imperial", "plan": #"["Squat","Burpee"]"#, "quality": 0.25,
        "theme": #"{"name":"Dark","hue":0.75}"#, "site": #""https:\/\/example.com""#,
      ]
      try Data(list.serializedBinary()).write(to: URL(filePath: file))

      let views = SettingsStore.inMemory()
      try importOldPlan(from: file, to: views)
      SettingsStore.withStandard(views) {
        #expect(PlanView().units == .imperial)
        #expect(PlanView().plan == ["Squat", "Burpee"])
        #expect(PlanView().selectedTab == 0)
      }

      let keys = SettingsStore.inMemory()
      try importOldKeys(from: file, to: keys)
      #expect(keys[.quality] == 0.25)
      #expect(keys[.theme] == Theme(name: "Dark", hue: 0.75))
      #expect(keys[.site] == URL(string: "https://example.com"))
      SettingsStore.withStandard(keys) { #expect(QualityView().quality == 0.25) }
    }
  }

  @Test("is right about an app that has stored nothing") func nothing() throws {
    let store = SettingsStore.inMemory()
    try importOldDefaults(from: "/nonexistent/Countdown.plist", to: store)
    #expect(store[SettingsKey("rounds", default: 3)] == 3)
  }
}
