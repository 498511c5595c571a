import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeSettings
import KeepsakeSync
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

private struct Card: Codable, Identifiable, Sendable {
  var id: String
  var title = ""
}

private struct RatingView {
  @AppStorage("rating") var rating = 0
}

@Suite("The page about tests") struct DocumentationTests {
  @Test("has snippets that are compiled here") func snippets() throws {
    let manifest = [
      ".testTarget(", "name: \"HIITFitTests\",",
      "dependencies: [\"HIITFit\", .product(name: \"KeepsakeTesting\", package: \"keepsake\")])",
    ]
    let missing = try linesOfSnippets(inArticle: "Testing", missingFrom: #filePath)
    #expect(missing.filter { !manifest.contains($0) } == [])
  }

  @Test("shows stores in memory that work") func inMemory() throws {
    let store = SettingsStore.inMemory()
    SettingsStore.withStandard(store) {
      let view = RatingView()  // its @AppStorage uses the store
      view.rating = 4
    }
    #expect(store[SettingsKey("rating", default: 0)] == 4)
    let cards = try DocumentStore<Card>.inMemory([Card(id: "1", title: "Winter")])
    #expect(try cards.load("1").title == "Winter")
  }

  @Test("shows sequences of changes that work") func sequences() async throws {
    let store = SettingsStore.inMemory()
    let name = SettingsKey("name", default: "")
    var names = store.values(of: name).makeAsyncIterator()
    #expect(try await names.next() == "")
    store[name] = "Ann"
    #expect(try await names.next() == "Ann")
  }

  @Test("shows directories that work") func directories() throws {
    try AppContainer.withTemporary(identifier: "com.example.HIITFit") { container in
      do {
        let store = try SettingsStore(container: container)
        store[SettingsKey("rating", default: 0)] = 4
        try store.save()
      }
      let nextLaunch = try SettingsStore(container: container)
      #expect(nextLaunch[SettingsKey("rating", default: 0)] == 4)
    }
  }

  @Test("shows several machines that agree") func severalMachines() async throws {
    let rating = SettingsKey("rating", default: 0)
    try await AppContainer.withTemporary { container in
      try await AppContainer.withTemporary { otherContainer in
        let engine = InMemoryEngine()
        let phone = try SettingsStore(container: container, sync: engine)
        let tablet = try SettingsStore(container: otherContainer, sync: engine)
        await engine.setReachable(false)
        phone[rating] = 4
        #expect(tablet[rating] == 0)
        await engine.setReachable(true)
        try await phone.synchronize(.everywhere)
        for try await value in tablet.values(of: rating) where value == 4 { break }
        #expect(tablet[rating] == 4)
      }
    }
  }

  @Test("shows a snapshot that is one") func snapshot() throws {
    try AppContainer.withTemporary(identifier: "com.example.Cards") { container in
      let store = try SettingsStore(container: container)
      store[SettingsKey("rating", default: 0)] = 4
      try store.save()
      let cards = try DocumentStore<Card>(directory: container.documents, pathExtension: "card")
      try cards.save(Card(id: "1", title: "Winter"))
      #expect(
        try container.snapshot() == [
          "Documents/1.card": """
          {
            "id" : "1",
            "title" : "Winter"
          }
          """,
          "Preferences/com.example.Cards.plist": """
          {
            "rating" : 4
          }
          """,
        ])
    }
  }

  @Test("shows a disk that fails") func failingDisk() throws {
    let container = AppContainer(root: "/app", identifier: "com.example.HIITFit")
    let disk = SimulatedDisk()
    let store = try SettingsStore(container: container, fileSystem: disk)
    disk.failAlways(.write, with: .noSpace)
    #expect(throws: SettingsError.self) {
      try store.set(4, for: SettingsKey("rating", default: 0))
    }
    disk.stopFailing()
    try store.set(4, for: SettingsKey("rating", default: 0))
    #expect(store[SettingsKey("rating", default: 0)] == 4)
  }

  @Test("shows damage that an app survives") func damage() throws {
    for damage in FileDamage.allCases {
      try AppContainer.withTemporary { container in
        do {
          let store = try SettingsStore(container: container)
          store[SettingsKey("rating", default: 0)] = 4
          try store.save()
        }
        try LocalFileSystem().damage(container.preferencesFile(), by: damage)
        let store = try SettingsStore(container: container) { print("the user reads: \($0)") }
        #expect([0, 4].contains(store[SettingsKey("rating", default: 0)]))
      }
    }
  }

  @Test("shows a clock that saves a document") func clock() async throws {
    let clock = ManualClock()
    var configuration = DocumentConfiguration()
    configuration.clock = clock
    let cards = try DocumentStore<Card>.inMemory([Card(id: "1")], configuration: configuration)
    let card = try cards.open("1")
    card.edit { $0.title = "Winter" }
    #expect(card.hasUnsavedChanges)
    await clock.advance(by: configuration.autosaveDelay)
    while card.hasUnsavedChanges { try await Task.sleep(for: .milliseconds(1)) }
    #expect(try cards.load("1").title == "Winter")
  }
}
