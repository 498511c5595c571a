import KeepsakeCoding
import KeepsakeSettings
import KeepsakeTestSupport
import Testing

@Suite("A key with a requirement") struct ValidationTests {
  private let rating = SettingsKey("rating", default: 3).validated(in: 1...5)
  private let anyRating = SettingsKey("rating", default: 0)

  @Test("refuses other values, and keeps the old one") func refusal() throws {
    let problems = Problems()
    let store = SettingsStore.inMemory { problems.add($0) }
    let property = AppStorage(rating, store: store)
    try store.set(5, for: rating)
    for value in [0, 6, Int.max, Int.min] {
      let error = #expect(throws: SettingsError.self) { try store.set(value, for: rating) }
      #expect(error?.code == .invalid && error?.key == "rating")
      #expect(error?.description.contains("expected 1 to 5") == true)
      #expect(throws: SettingsError.self) { try store.transaction { $0[rating] = value } }
      #expect(problems.all.isEmpty)
    }
    property.wrappedValue = 9
    #expect(problems.codes == [.invalid])
    #expect(property.wrappedValue == 5 && store[rating] == 5)
  }

  @Test("reads other stored values as the default, and preserves them when they are replaced")
  func stored() throws {
    let problems = Problems()
    let store = SettingsStore.inMemory { problems.add($0) }
    try store.set(9, for: anyRating)
    for _ in 0..<3 { #expect(store[rating] == 3) }
    #expect(problems.codes == [.invalid])
    #expect(throws: SettingsError.self) { try store.value(for: rating) }
    try store.transaction { #expect($0[rating] == 3) }
    #expect(store[anyRating] == 9)

    try withHome { home in
      try home.open().set(9, for: anyRating)
      let store = try home.open()
      try store.set(4, for: rating)
      #expect(store[anyRating] == 4)
      #expect(try store.preservedValues().map(\.value) == [9])
    }
  }

  private struct Window: Codable, Equatable {
    var width = 800
    var title: String?
  }

  @Test("can be of any type, and have any requirement") func closure() throws {
    let store = SettingsStore.inMemory { _ in }
    let name = SettingsKey("name", default: "none")
      .validated("letters") { $0.wholeMatch(of: /[a-z]+/) != nil }
    try store.set("abc", for: name)
    #expect(throws: SettingsError.self) { try store.set("a c", for: name) }
    let window = SettingsKey("window", default: Window()).validated("a width") { $0.width > 0 }
    #expect(throws: SettingsError.self) { try store.set(Window(width: 0), for: window) }
    try store.set(["title": "a"], for: SettingsKey("window", default: [:]))
    #expect(store[window] == Window(title: "a"))
    try store.set(["width": -1], for: SettingsKey("window", default: [:]))
    #expect(store[window] == Window())
    #expect(store[name] == "abc")
  }
}
