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

func importOldDefaults(
  from source: SettingsStore.ImportSource, to store: SettingsStore
) throws {
  try store.importOnce(from: source)
  try store.migrate([
    SettingsStore.Migration(to: 1) { settings in
      // What was data that contains JSON becomes a dictionary, which people can read.
      let stored = SettingsKey<PropertyList.Value?>("profile")
      guard case .data(let json)? = settings[stored] else { return }
      let profile = try JSON.Decoder().decode(Profile.self, from: json)
      settings[stored] = try PropertyList.Encoder().encodeToValue(profile)
    }
  ])
}

/// Decodes a value that was stored as a text that contains JSON.
func decode<Value: Codable>(_ type: Value.Type, _ json: String) throws -> PropertyList.Value {
  let value = try JSON.Decoder().decode(Value.self, from: Data(json.utf8))
  return try PropertyList.Encoder().encodeToValue(value)
}

func importOldPlan(
  from source: SettingsStore.ImportSource, to store: SettingsStore
) throws {
  try store.importOnce(from: source)
  try store.migrate([
    SettingsStore.Migration(to: 1) { settings in
      let stored = SettingsKey<PropertyList.Value?>("plan")
      guard case .string(let json)? = settings[stored] else { return }
      settings[stored] = try decode([String].self, json)
    }
  ])
}

func importOldKeys(
  from source: SettingsStore.ImportSource, to store: SettingsStore
) throws {
  try store.importOnce(from: source)
  try store.migrate([
    SettingsStore.Migration(to: 1) { settings in
      let theme = SettingsKey<PropertyList.Value?>("theme")
      if case .string(let json)? = settings[theme] {
        settings[theme] = try decode(Theme.self, json)
      }
      let site = SettingsKey<PropertyList.Value?>("site")
      if case .string(let json)? = settings[site] {
        settings[.site] = try JSON.Decoder().decode(URL.self, from: Data(json.utf8))
      }
    }
  ])
}

func startCountdown() throws {
  AppContainer.main = AppContainer(identifier: "com.example.Countdown")
  try importOldDefaults(from: .userDefaults(named: "Countdown"), to: .standard)
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
      let file = directory.appending("Countdown.plist")
      let container = AppContainer(root: directory, identifier: "com.example.Countdown")
      let store = try SettingsStore(container: container)
      let damaged = written.replacing("eyJuYW1lIjoiQWRhIiwid2VpZ2h0Ijo2MS41fQ==", with: "AAAA")
      try Data(damaged.utf8).write(to: URL(filePath: file.string))
      let other = SettingsStore.inMemory()
      #expect(throws: DecodingError.self) {
        try importOldDefaults(from: .propertyList(at: file), to: other)
      }
      #expect(other[SettingsKey<PropertyList.Value?>("profile")] == .data(Data([0, 0, 0])))

      try Data(written.utf8).write(to: URL(filePath: file.string))
      try importOldDefaults(from: .propertyList(at: file), to: store)
      SettingsStore.withStandard(store) {
        let settings = CountdownSettings()
        #expect(settings.units == .imperial)
        #expect(settings.rounds == 5)
        #expect(settings.lastRun == Date(timeIntervalSince1970: 1_700_000_000))
        #expect(settings.favorites == ["Squat", "Burpee"])
        #expect(settings.profile == Profile(name: "Ada", weight: 61.5))
        settings.rounds = 6
      }
      try importOldDefaults(from: .propertyList(at: file), to: store)
      #expect(store[SettingsKey("rounds", default: 3)] == 6)
      #expect(try Data(contentsOf: URL(filePath: file.string)) == Data(written.utf8))
      #expect(try store.preservedValues().isEmpty)
    }
  }

  @Test("converts values that were JSON in a text") func texts() throws {
    try withTemporaryDirectory { directory in
      let file = directory.appending("old.plist")
      let list: PropertyList.Value = [
        "units": "imperial", "plan": #"["Squat","Burpee"]"#, "quality": 0.25,
        "theme": #"{"name":"Dark","hue":0.75}"#, "site": #""https:\/\/example.com""#,
      ]
      try Data(list.serializedBinary()).write(to: URL(filePath: file.string))

      let views = SettingsStore.inMemory()
      try importOldPlan(from: .propertyList(at: file), to: views)
      SettingsStore.withStandard(views) {
        #expect(PlanView().units == .imperial)
        #expect(PlanView().plan == ["Squat", "Burpee"])
        #expect(PlanView().selectedTab == 0)
      }

      let keys = SettingsStore.inMemory()
      try importOldKeys(from: .propertyList(at: file), to: keys)
      #expect(keys[.quality] == 0.25)
      #expect(keys[.theme] == Theme(name: "Dark", hue: 0.75))
      #expect(keys[.site] == URL(string: "https://example.com"))
      SettingsStore.withStandard(keys) { #expect(QualityView().quality == 0.25) }
    }
  }

  @Test("is right about an app that has stored nothing") func nothing() throws {
    let store = SettingsStore.inMemory()
    try importOldDefaults(from: .propertyList(at: "/nonexistent/Countdown.plist"), to: store)
    #expect(store[SettingsKey("rounds", default: 3)] == 3)
  }
}
