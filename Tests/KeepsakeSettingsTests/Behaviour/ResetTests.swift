import KeepsakeCoding
import KeepsakeSettings
import KeepsakeTestSupport
import Testing

@Suite("A reset") struct ResetTests {
  private let rating = SettingsKey("rating", default: 0)
  private let name = SettingsKey("user.name", default: "none")
  private let age = SettingsKey<Int?>("user.age")

  private func fill(_ store: SettingsStore) throws {
    try store.set(5, for: rating)
    try store.set("Ann", for: name)
    try store.set(30, for: age)
  }

  @Test("of keys, of a group, and of everything gives the settings their defaults")
  func removal() throws {
    try withHome { home in
      let store = try home.open()
      try fill(store)
      try store.reset(rating, age)
      #expect(store[rating] == 0 && store[age] == nil && store[name] == "Ann")
      try fill(store)
      try store.reset(prefix: "user.")
      #expect(store[rating] == 5 && store[age] == nil && store[name] == "none")
      try fill(store)
      try store.reset()
      #expect(store.names.isEmpty)
      #expect(try home.open().names.isEmpty)
    }
  }

  @Test("can be undone; a setting that was changed since keeps its value") func undoing() throws {
    try withHome { home in
      let store = try home.open()
      try fill(store)
      let reset = try store.reset()
      try store.set("Bob", for: name)
      try reset.undo()
      #expect(store[rating] == 5 && store[age] == 30 && store[name] == "Bob")
      try store.set(4, for: rating)
      try reset.undo()
      #expect(store[rating] == 4)
      let one = try store.reset(rating)
      try one.undo()
      #expect(try home.open()[rating] == 4)
    }
  }

  @Test("keeps the version of the settings, so that no migration runs again") func version() throws
  {
    let store = SettingsStore.inMemory()
    let runs = Tally()
    let migration = SettingsStore.Migration(to: 1) { _ in runs.add() }
    try store.migrate([migration])
    try fill(store)
    try store.reset()
    #expect(store.names == ["KeepsakeSettingsVersion"])
    try store.migrate([migration])
    #expect(runs.count == 1)
  }

  @Test(
    "preserves a value of a key that cannot be read, and changes nothing if it cannot be written")
  func failures() throws {
    try withHome { home in
      let store = try home.open()
      try store.set("text", for: SettingsKey("rating", default: ""))
      try store.set("Ann", for: name)
      let reset = try store.reset(rating, name)
      #expect(try store.preservedValues().map(\.value) == ["text"])
      try reset.undo()
      #expect(store[SettingsKey("rating", default: "")] == "text")
    }
    let inside = SettingsStore.inMemory()
    try fill(inside)
    let error = #expect(throws: SettingsError.self) {
      try inside.transaction { _ in try inside.reset() }
    }
    #expect(error?.code == .inTransaction && inside[rating] == 5)
  }

  @Test("reaches readers and other processes") func observers() async throws {
    let store = SettingsStore.inMemory()
    try fill(store)
    let property = AppStorage(rating, store: store)
    var values = store.values(of: name).makeAsyncIterator()
    #expect(try await values.next() == "Ann")
    try store.reset()
    #expect(property.wrappedValue == 0)
    #expect(try await values.next() == "none")
  }
}
