import FoundationEssentials
import KeepsakeCoding
import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import Testing

@Suite("Layers of a store", .timeLimit(.minutes(10))) struct LayerTests {
  private static let groups = ["com.example.first", "com.example.second"]

  /// A home in which every layer has the same key.
  private func fill(_ home: Home) throws {
    try home.write(
      "<key>k</key><string>managed</string>", to: home.container.managedPreferences)
    try home.write("<key>k</key><string>global</string>", to: home.container.globalPreferences)
    for group in Self.groups {
      try home.open(suite: group).set("suite \(group)", for: SettingsKey("k"))
    }
    try home.open().set("app", for: SettingsKey("k"))
  }

  @Test("Layers take precedence in their order, and removing a value uncovers the next")
  func precedence() async throws {
    try await withHome { home in
      try fill(home)
      let key = SettingsKey("k", default: "default")
      let byArguments = try home.open(groups: Self.groups, arguments: ["-k", "arguments"])
      byArguments.register(defaults: ["k": "registered"])
      #expect(byArguments[key] == "arguments" && byArguments.layer(of: key) == .arguments)

      let store = try home.open(groups: Self.groups)
      let property = AppStorage(key, store: store)
      store.register(defaults: ["k": "registered"])
      func expect(
        _ value: String, _ layer: SettingsLayer?,
        sourceLocation: SourceLocation = #_sourceLocation
      ) {
        #expect(store[key] == value, sourceLocation: sourceLocation)
        #expect(property.wrappedValue == value, sourceLocation: sourceLocation)
        #expect(store.layer(of: key) == layer, sourceLocation: sourceLocation)
      }
      expect("managed", .managed)

      // The administrator's file is removed while the program runs.
      try await waiting(for: "app", of: key, in: store) {
        try LocalFileSystem().remove(home.container.managedPreferences)
      }
      expect("app", .app)
      try store.remove(key)
      expect("suite com.example.first", .suite("com.example.first"))
      try await waiting(for: "suite com.example.second", of: key, in: store) {
        try home.open(suite: Self.groups[0]).remove(key)
      }
      expect("suite com.example.second", .suite("com.example.second"))
      try await waiting(for: "global", of: key, in: store) {
        try home.open(suite: Self.groups[1]).remove(key)
      }
      expect("global", .global)
      try await waiting(for: "registered", of: key, in: store) {
        try home.write("", to: home.container.globalPreferences)
      }
      expect("registered", .registered)
      let other = SettingsKey("other", default: "default")
      #expect(store[other] == "default" && store.layer(of: other) == nil)
      // The app's own value covers all layers below it again.
      try store.set("again", for: key)
      expect("again", .app)
    }
  }

  /// Runs a body, and returns when the key has the value.
  private func waiting(
    for value: String, of key: SettingsKey<String>, in store: SettingsStore,
    _ body: () throws -> Void
  ) async throws {
    try body()
    for await present in store.values(of: key) where present == value { return }
  }

  @Test("A managed value overrides a value that is set, which is still stored")
  func managedValues() async throws {
    try await withHome { home in
      try home.write(
        "<key>k</key><string>managed</string>", to: home.container.managedPreferences)
      let key = SettingsKey("k", default: "default")
      let store = try home.open()
      let property = AppStorage(key, store: store)
      try store.set("mine", for: key)
      property.wrappedValue = "mine too"
      try store.transaction {
        #expect($0[key] == "managed")
        $0[SettingsKey("other", default: 0)] = 1
      }
      #expect(store[key] == "managed" && property.wrappedValue == "managed")
      #expect(store.layer(of: key) == .managed)
      try store.save()
      #expect(try home.text().contains("<string>mine too</string>"))

      // Changed by the administrator while the program runs.
      try home.write(
        "<key>k</key><string>stricter</string>", to: home.container.managedPreferences)
      for await value in store.values(of: key) where value == "stricter" { break }
      #expect(property.wrappedValue == "stricter")
      try LocalFileSystem().remove(home.container.managedPreferences)
      for await value in store.values(of: key) where value == "mine too" { break }
      #expect(store.layer(of: key) == .app)
    }
  }

  @Test("The last registered default counts, and none is written")
  func registeredDefaults() throws {
    try withHome { home in
      let key = SettingsKey("k", default: 0)
      do {
        let store = try home.open()
        let property = AppStorage(key, store: store)
        #expect(property.wrappedValue == 0)
        store.register(defaults: ["k": 1, "other": "x", "none": Int?.none as Int?])
        #expect(property.wrappedValue == 1 && store.layer(of: key) == .registered)
        store.register(defaults: ["k": 2])
        #expect(property.wrappedValue == 2)
        #expect(store[SettingsKey("other", default: "")] == "x")
        #expect(store.names == [])
        try store.set(3, for: key)
        store.register(defaults: ["k": 4])
        #expect(property.wrappedValue == 3)
        try store.remove(key)
        #expect(property.wrappedValue == 4)
      }
      #expect(try home.open()[key] == 0)
    }
  }

  @Test("Defaults of keys are registered like values by name") func registeredKeys() {
    let problems = Problems()
    let store = SettingsStore.inMemory { problems.add($0) }
    store.register(
      defaults: SettingsKey("level", default: Level.middle), SettingsKey("count", default: 3),
      SettingsKey<String?>("none"),
      SettingsKey("player", default: Player(name: "Squat", scores: [1], appearance: .dark)))
    #expect(store[SettingsKey("level", default: Level.low)] == .middle)
    #expect(store[SettingsKey("count", default: 0)] == 3)
    #expect(store[SettingsKey("none", default: "default")] == "default")
    #expect(store[SettingsKey<Player?>("player")]?.scores == [1])
    #expect(store.layer(of: SettingsKey("level", default: Level.low)) == .registered)
    store.register(defaults: SettingsKey("count", default: 4))
    #expect(store[SettingsKey("count", default: 0)] == 4 && store.names == [])
    #expect(problems.all.isEmpty)
    store.register(
      defaults: SettingsKey("count", default: 5), SettingsKey("player", default: Unwritable()))
    #expect(problems.all.map(\.code) == [.unencodable])
    #expect(store[SettingsKey("count", default: 0)] == 5)
  }

  @Test("Two apps that share a suite see each other's changes")
  func sharedSuite() async throws {
    try await withHome { home in
      var other = home
      other.identifier = "com.example.Other"
      let key = SettingsKey("k", default: 0)
      let mine = try home.open(suite: "com.example.group")
      let theirs = try other.open(suite: "com.example.group")
      let app = try other.open(groups: ["com.example.group"])
      try mine.set(1, for: key)
      for store in [theirs, app] {
        for await value in store.values(of: key) where value == 1 { break }
      }
      #expect(app.layer(of: key) == .suite("com.example.group"))
      try app.set(2, for: key)
      #expect(mine[key] == 1 && app[key] == 2)
      #expect(try home.open()[key] == 0)
      #expect(app.names == ["k"] && theirs.names == ["k"])
    }
  }
}

@Suite("Command-line arguments") struct CommandLineTests {
  /// A store whose directory no longer exists when it is read.
  private func store(_ arguments: String...) throws -> SettingsStore {
    try withHome { home in try home.open(arguments: arguments) }
  }

  @Test("An argument is converted to each type") func types() throws {
    let store = try store(
      "-flag", "YES", "-off", "false", "-one", "1", "-n", "-5", "-large", "18446744073709551615",
      "-real", "-2.5e3", "-name", "x y", "-empty", "", "-level", "2", "-appearance", "dark", "-url",
      "https://a.b/c", "-uuid", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "-decimal", "1.1", "-date",
      "0.5", "-list",
      "<plist version=\"1.0\"><array><integer>1</integer></array></plist>", "-player",
      "<plist version=\"1.0\"><dict><key>name</key><string>Ray</string><key>scores</key><array/></dict></plist>",
      "-digits", "007")
    #expect(store[SettingsKey("flag", default: false)])
    #expect(store[SettingsKey("off", default: true)] == false)
    #expect(store[SettingsKey("one", default: false)] && store[SettingsKey("one", default: 0)] == 1)
    #expect(store[SettingsKey("one", default: "")] == "1")
    #expect(
      store[SettingsKey("n", default: 0)] == -5 && store[SettingsKey("n", default: 0.0)] == -5)
    #expect(store[SettingsKey<Int8?>("n")] == -5)
    #expect(store[SettingsKey("large", default: 0 as UInt64)] == .max)
    let real = store[SettingsKey("real", default: 0.0)]
    #expect(real == -2500, "\(type(of: real))")
    #expect(store[SettingsKey("real", default: 0 as Float)] == -2500)
    #expect(store[SettingsKey("name", default: "")] == "x y")
    #expect(store[SettingsKey("empty", default: "default")] == "")
    #expect(store[SettingsKey("level", default: Level.low)] == .high)
    #expect(store[SettingsKey("appearance", default: Appearance.light)] == .dark)
    #expect(store[SettingsKey<URL?>("url")]?.absoluteString == "https://a.b/c")
    #expect(store[SettingsKey<UUID?>("uuid")] != nil)
    #expect(store[SettingsKey("decimal", default: 0 as Decimal)].description == "1.1")
    #expect(store[SettingsKey<Date?>("date")]?.timeIntervalSinceReferenceDate == 0.5)
    #expect(store[SettingsKey("list", default: [Int]())] == [1])
    #expect(store[SettingsKey<Player?>("player")]?.name == "Ray")
    #expect(store[SettingsKey("digits", default: "")] == "007")

    @AppStorage("n", store: store) var number = 0
    @AppStorage("flag", store: store) var flag = false
    @AppStorage("level", store: store) var level: Level?
    #expect(number == -5 && flag && level == .high)
    #expect(store.names == [], "arguments are not stored")
  }

  @Test("Arguments count in a transaction as in a property") func inTransaction() throws {
    try withHome { home in
      let store = try home.open(arguments: ["-n", "-5", "-flag", "YES", "-level", "2"])
      try store.transaction { settings in
        #expect(settings[SettingsKey("n", default: 0)] == -5)
        #expect(settings[SettingsKey("flag", default: false)])
        #expect(settings[SettingsKey("level", default: Level.low)] == .high)
      }
    }
  }

  @Test("An argument of another type gives the default and a report")
  func wrongType() throws {
    let problems = Problems()
    try withHome { home in
      let store = try home.open(arguments: ["-n", "many", "-flag", "2"], problems: problems)
      #expect(store[SettingsKey("n", default: 7)] == 7)
      #expect(store[SettingsKey("flag", default: true)])
      #expect(problems.codes == [.wrongType, .wrongType])
    }
  }

  @Test("Only a key that a value follows is read") func keyValuePairs() throws {
    let store = try store(
      "serve", "-a", "-b", "1", "--long", "x", "file", "-c", "--", "-d", "2", "-", "y", "-last")
    let keys = ["a", "b", "c", "d", "long", "-long", "serve", "file", "", "-", "last"]
    let found = keys.filter { store.layer(of: SettingsKey($0, default: "")) == .arguments }
    #expect(found == ["b", "d"])
    #expect(store[SettingsKey("b", default: 0)] == 1 && store[SettingsKey("d", default: 0)] == 2)
  }

  @Test("The last of two equal keys counts; keys with different bytes are different")
  func duplicateKeys() throws {
    let store = try store("-k", "1", "-k", "2", "-caf\u{E9}", "3", "-a.b", "4")
    #expect(store[SettingsKey("k", default: 0)] == 2)
    #expect(store[SettingsKey("caf\u{E9}", default: 0)] == 3)
    #expect(store[SettingsKey("cafe\u{301}", default: 0)] == 0)
    #expect(store[SettingsKey("a.b", default: 0)] == 4)
  }
}
