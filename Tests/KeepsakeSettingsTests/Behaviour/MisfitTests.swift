import FoundationEssentials
import KeepsakeCoding
import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage
import Testing

/// A value stored by another program, another version or a manual edit, and a key of another type.
private struct Misfit: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let stored: PropertyList.Value
  /// Reads by subscript and by property, and returns whether both gave the default.
  let givesDefault: @Sendable (SettingsStore) -> Bool
  /// The error of the throwing form.
  let error: @Sendable (SettingsStore) -> SettingsError?

  init<Value: Equatable>(
    _ name: String, _ stored: PropertyList.Value, _ key: SettingsKey<Value>
  ) {
    testDescription = name
    self.stored = stored
    givesDefault = { store in
      let property = AppStorage(key, store: store)
      return store[key] == key.defaultValue && property.wrappedValue == key.defaultValue
        && store[key] == key.defaultValue && property.wrappedValue == key.defaultValue
    }
    error = { store in
      do throws(SettingsError) {
        _ = try store.value(for: key)
        return nil
      } catch { return error }
    }
  }

  static let all = [
    Misfit("a string for a whole number", "seven", SettingsKey("k", default: 7)),
    Misfit("digits in a string for a whole number", "5", SettingsKey("k", default: 7)),
    Misfit("a number too large", 300, SettingsKey("k", default: 7 as UInt8)),
    Misfit("a negative number", -1, SettingsKey("k", default: 7 as UInt)),
    Misfit("a number above Int64's", .unsigned(.max), SettingsKey("k", default: 7)),
    Misfit("a fraction for a whole number", 1.5, SettingsKey("k", default: 7)),
    Misfit("a huge number for a whole number", 1e300, SettingsKey("k", default: 7)),
    Misfit("not a number", .real(.nan), SettingsKey("k", default: 7)),
    Misfit("a Boolean for a number", true, SettingsKey("k", default: 7.5)),
    Misfit("a number for text", 5, SettingsKey("k", default: "none")),
    Misfit("2 for a Boolean", 2, SettingsKey("k", default: true)),
    Misfit("text for a Boolean", "maybe", SettingsKey("k", default: true)),
    Misfit("text for bytes", "AQI=", SettingsKey("k", default: Data([1]))),
    Misfit("text for a date", "tomorrow", SettingsKey("k", default: Date.distantPast)),
    Misfit("text for a UUID", "E621E1F8", SettingsKey("k", default: UUID(uuid: UUID().uuid))),
    Misfit("text that begins as a number", "1.5 kg", SettingsKey("k", default: 7 as Decimal)),
    Misfit("nothing for a URL", "", SettingsKey("k", default: URL(string: "x:y")!)),
    Misfit("a case that is not known", "sepia", SettingsKey("k", default: Appearance.dark)),
    Misfit("an index of a newer version", 3, SettingsKey("k", default: Level.middle)),
    Misfit("text for a raw number", "low", SettingsKey("k", default: Level.middle)),
    Misfit("one element of another type", [1, "2"], SettingsKey("k", default: [7])),
    Misfit("one value of another type", ["a": 1, "b": []], SettingsKey("k", default: ["a": 7])),
    Misfit(
      "a field of another type", ["name": "Ray", "scores": "none"],
      SettingsKey("k", default: Player(name: "default", scores: []))),
    Misfit(
      "text for a structure", "Ray", SettingsKey("k", default: Player(name: "default", scores: []))),
    Misfit(
      "a case with values that is not known", ["star": ["points": 5]],
      SettingsKey("k", default: Shape.nothing)),
    Misfit("text for an optional number", "seven", SettingsKey<Int?>("k")),
    Misfit("an optional case that is not known", "sepia", SettingsKey<Appearance?>("k")),
    Misfit("an optional structure's missing field", [:], SettingsKey<Player?>("k")),
    Misfit("a type's own form", 5, SettingsKey("k", default: Celsius(rawValue: 1))),
  ]
}

@Suite("A stored value of another type (P9)") struct MisfitTests {
  @Test(
    "A value of another type gives the default, one report, and a detailed error",
    arguments: Misfit.all)
  private func defaultAndError(misfit: Misfit) throws {
    try withHome { home in
      let problems = Problems()
      do {
        let store = try home.open(problems: problems)
        try store.set(misfit.stored, for: SettingsKey("k"))
        #expect(misfit.givesDefault(store))
        #expect(misfit.givesDefault(store))
        #expect(problems.codes == [.wrongType])
        let error = try #require(misfit.error(store))
        #expect(error.code == .wrongType && error.key == "k")
        #expect(error.file == home.container.preferencesFile())
        #expect(error.cause != nil)
        #expect(error.description.contains("com.example.Behaviour.plist"))
        #expect(problems.all.count == 1, "a thrown error is not reported again")
      }
      // None of these reads wrote anything.
      let store = try home.open()
      let kept = try store.value(for: SettingsKey<PropertyList.Value?>("k"))
      // NaN is not equal to itself.
      #expect(kept == misfit.stored || String(describing: kept).contains("nan"))
    }
  }

  @Test("A value of another type is reported once for each change of it") func reportPerChange() {
    let problems = Problems()
    let store = SettingsStore.inMemory { problems.add($0) }
    @AppStorage("k", store: store) var number = 7
    let text = SettingsKey("k", default: "")
    for round in 1...3 {
      store[text] = "round \(round)"
      for _ in 0..<5 {
        #expect(number == 7)
        #expect(store[SettingsKey("k", default: 8)] == 8)
      }
      #expect(problems.codes == Array(repeating: .wrongType, count: round))
    }
    number = 4
    #expect(number == 4 && problems.all.count == 3)
  }

  @Test("A value of another type is reported once, however many threads read it")
  func reportFromManyThreads() async {
    let problems = Problems()
    let store = SettingsStore.inMemory { problems.add($0) }
    store[SettingsKey("k", default: "")] = "text"
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<200 { #expect(store[SettingsKey("k", default: 7)] == 7) }
        }
      }
    }
    #expect(problems.codes == [.wrongType])
  }

  @Test("A value of another type can be replaced") func replacement() throws {
    let store = SettingsStore.inMemory { _ in }
    @AppStorage("k", store: store) var appearance = Appearance.light
    store[SettingsKey("k", default: "")] = "sepia"
    #expect(appearance == .light)
    appearance = .dark
    #expect(appearance == .dark)
    #expect(store[SettingsKey("k", default: "")] == "dark")
  }

  @Test("A problem handler may read the property whose problem it receives")
  func readInHandler() async {
    // A handler often reads settings that say how to report an error.
    let seen = Problems()
    let store = StoreBox()
    store.value = .inMemory { problem in
      if store.property?.wrappedValue == 7 { seen.add(problem) }
    }
    store.property = AppStorage(wrappedValue: 7, "k", store: store.value)
    store.value?[SettingsKey("k", default: "")] = "text"
    #expect(store.property?.wrappedValue == 7)
    #expect(seen.codes == [.wrongType])
    store.property = nil
    store.value = nil
  }

  /// A reference to a store, for the handler that the store is created with.
  private final class StoreBox: @unchecked Sendable {
    var value: SettingsStore?
    var property: AppStorage<Int>?
  }

  @Test("A registered default of another type is reported and replaced by the key's default")
  func registeredDefault() {
    let problems = Problems()
    let store = SettingsStore.inMemory { problems.add($0) }
    store.register(defaults: ["k": "text"])
    #expect(store[SettingsKey("k", default: 7)] == 7)
    // The app's author wants to know about it, too.
    #expect(problems.codes == [.wrongType])
  }

  @Test("The error names the file of the layer that has the value") func fileOfLayer() throws {
    try withHome { home in
      try home.write("<key>k</key><string>x</string>", to: home.container.managedPreferences)
      try home.write("<key>g</key><string>x</string>", to: home.container.globalPreferences)
      try home.open(suite: "com.example.group").set("x", for: SettingsKey("s"))
      let store = try home.open(groups: ["com.example.group"], arguments: ["-a", "x"])
      func file(of name: String) -> String? {
        do throws(SettingsError) {
          _ = try store.value(for: SettingsKey(name, default: 7))
          return "none"
        } catch { return error.file?.string }
      }
      #expect(file(of: "k") == home.container.managedPreferences.string)
      #expect(file(of: "g") == home.container.globalPreferences.string)
      #expect(
        file(of: "s") == home.container.preferencesFile(suite: "com.example.group").string)
      #expect(file(of: "a") == nil)
    }
  }
}

@Suite("A value that cannot be encoded") struct UnencodableValueTests {
  @Test("A value that cannot be encoded is not set, and the old one remains")
  func refusedValue() throws {
    let problems = Problems()
    let store = SettingsStore.inMemory { problems.add($0) }
    store[SettingsKey("k", default: 0)] = 4
    #expect {
      try store.set(Unwritable(), for: SettingsKey("k", default: Unwritable()))
    } throws: { error in
      let error = error as? SettingsError
      return error?.code == .unencodable && error?.key == "k"
        && error?.description.contains("Refusal") == true
    }
    #expect(problems.all.isEmpty && store[SettingsKey("k", default: 0)] == 4)

    @AppStorage("k", store: store) var unwritable = Unwritable()
    unwritable = Unwritable()
    #expect(problems.codes == [.unencodable])
    #expect(store[SettingsKey("k", default: 0)] == 4)
  }
}
