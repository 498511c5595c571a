import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage
import Testing

private enum Units: String { case metric, imperial }

extension SettingsKey where Value == Units {
  fileprivate static var units: Self { SettingsKey("units", default: .metric) }
}

@Suite("The chapter about settings") struct DocumentationTests {
  @Test("has snippets that are compiled here") func snippets() throws {
    let missing = try linesOfSnippets(inArticle: "Settings", missingFrom: #filePath)
    // Public here, in a module of many tests, they would be seen by the others.
    let declarations = ["enum Units: String { case metric, imperial }", "static var units: Self"]
    #expect(missing.filter { line in !declarations.contains { line.hasPrefix($0) } } == [])
  }

  struct Countdown {
    @AppStorage("seconds") var seconds = 30
  }

  func identify() {
    AppContainer.main = AppContainer(identifier: "com.example.HIITFit")
  }

  @Test("does what it says of a property") func property() {
    SettingsStore.withStandard(SettingsStore.inMemory()) {
      #expect(Countdown().seconds == 30)
      Countdown().seconds = 45  // written to the file when this line has run
      #expect(SettingsStore.standard[SettingsKey("seconds", default: 30)] == 45)
    }
  }

  @Test("does what it says of a migration") func migration() throws {
    let store = SettingsStore.inMemory()
    try store.set("3124", for: SettingsKey("ratingsV1", default: ""))
    try store.migrate([
      SettingsStore.Migration(to: 1) { settings in settings.rename("ratingsV1", to: "ratings") }
    ])
    #expect(store[SettingsKey("ratings", default: "")] == "3124")
  }

  @Test("does what it says") func firstSnippet() async throws {
    try await withTemporaryDirectory { directory in
      let container = AppContainer(root: directory, identifier: "com.example.HIITFit")
      let store = try SettingsStore(container: container)  // .main, in an app
      store[.units] = .imperial  // an error is reported
      try store.set(.imperial, for: .units)  // an error is thrown
      try store.set("3124", for: SettingsKey("ratingsV1", default: ""))
      try store.transaction { settings in  // atomic across processes
        settings[SettingsKey("count", default: 0)] += 1
        settings.rename("ratingsV1", to: "ratings")
      }
      try await store.synchronize()  // survives a power cut; or synchronizeAndWait()
      print(store.layer(of: .units) as Any)  // which layer the value comes from
      #expect(store[.units] == .imperial)
      #expect(store[SettingsKey("count", default: 0)] == 1)
      #expect(store[SettingsKey("ratings", default: "")] == "3124")
    }
  }
}

private func oldRating() throws -> Int { 4 }

@Suite("The page about imports") struct ImportDocumentationTests {
  @Test("has snippets that are compiled here") func snippets() throws {
    #expect(try linesOfSnippets(inArticle: "Importing", missingFrom: #filePath) == [])
  }

  @Test("does what it says") func closure() throws {
    try withTemporaryDirectory { directory in
      let container = AppContainer(root: directory, identifier: "com.example.HIITFit")
      let store = try SettingsStore(container: container)  // .main, in an app
      try store.importOnce(named: "database") { settings in
        settings[SettingsKey("rating", default: 0)] = try oldRating()
      }
      #expect(store[SettingsKey("rating", default: 0)] == 4)
    }
  }

  /// Compiled, not run: it reads the files of a user.
  private func sources(_ store: SettingsStore) throws {
    let result = try store.importOnce(from: .userDefaults(named: "HIITFit"))
    print(result.outcome, result.keys, result.skipped)
    try store.importOnce(from: .propertyList(at: "/home/ann/com.example.HIITFit.plist"))
    try store.importOnce(from: .json(at: "/home/ann/settings.json"))
    try store.importOnce(from: .environmentFile(at: "/srv/hiitfit/.env"))
  }

  private func damage(_ store: SettingsStore) throws {
    let result = try store.importOnce(from: .userDefaults(named: "HIITFit"), acceptsDamage: true)
    _ = result
  }
}
