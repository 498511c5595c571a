import KeepsakeCoding
import KeepsakeSettings
import KeepsakeTestSupport
import Testing

@Suite("A stored value of an older version, which lacks keys") struct MissingKeyTests {
  private struct Old: Codable {
    struct Goal: Codable { var weekly = 3 }
    var name: String
    var goal = Goal()
  }

  private struct New: Codable, Equatable {
    struct Goal: Codable, Equatable {
      var weekly = 0
      var daily = 20
    }
    var name: String
    var goal: Goal
    var rounds: Int
    static let usual = New(name: "usual", goal: Goal(), rounds: 5)
  }

  private let oldKey = SettingsKey("k", default: Old(name: ""))
  private let key = SettingsKey("k", default: New.usual)

  @Test("takes them from the key's default, and is reported once") func fill() throws {
    let problems = Problems()
    let store = SettingsStore.inMemory { problems.add($0) }
    try store.set(Old(name: "Ann"), for: oldKey)
    let expected = New(name: "Ann", goal: .init(weekly: 3, daily: 20), rounds: 5)
    let property = AppStorage(key, store: store)
    for _ in 0..<3 {
      #expect(store[key] == expected)
      #expect(property.wrappedValue == expected)
      #expect(try store.value(for: key) == expected)
    }
    #expect(problems.codes == [.incomplete])
    let text = problems.all.first?.description ?? ""
    #expect(text.contains("'rounds'") && text.contains("'goal.daily'") && text.contains("'k'"))
  }

  @Test("is not lost when the value is changed") func change() throws {
    let store = SettingsStore.inMemory { _ in }
    try store.set(Old(name: "Ann", goal: .init(weekly: 7)), for: oldKey)
    store[key].rounds += 1
    #expect(store[key] == New(name: "Ann", goal: .init(weekly: 7, daily: 20), rounds: 6))
    try store.set(Old(name: "Ann", goal: .init(weekly: 7)), for: oldKey)
    try store.transaction { $0[key].rounds += 2 }
    #expect(store[key] == New(name: "Ann", goal: .init(weekly: 7, daily: 20), rounds: 8))
    #expect(try store.preservedValues().isEmpty)
  }

  @Test("is an error in an element of an array, and where the default has nothing") func refused()
    throws
  {
    let problems = Problems()
    let store = SettingsStore.inMemory { problems.add($0) }
    try store.set([Old(name: "Ann")], for: SettingsKey("k", default: []))
    #expect(throws: SettingsError.self) {
      try store.value(for: SettingsKey("k", default: [New.usual]))
    }
    try store.set(Old(name: "Ann"), for: oldKey)
    #expect(throws: SettingsError.self) { try store.value(for: SettingsKey<New?>("k")) }
    #expect(problems.all.isEmpty)
  }

  private enum OldShape: Codable { case circle(radius: Int) }
  private enum NewShape: Codable, Equatable {
    case circle(radius: Int, color: String)
    case square(side: Int)
  }

  @Test("takes a payload's key only from a default of the same case") func payload() throws {
    let store = SettingsStore.inMemory { _ in }
    try store.set(.circle(radius: 2), for: SettingsKey("k", default: OldShape.circle(radius: 1)))
    let circle = SettingsKey("k", default: NewShape.circle(radius: 1, color: "red"))
    #expect(try store.value(for: circle) == .circle(radius: 2, color: "red"))
    let square = SettingsKey("k", default: NewShape.square(side: 1))
    #expect(throws: SettingsError.self) { try store.value(for: square) }
  }

  private struct Unencodable: Codable {
    var old = 1
    var new: Int
    func encode(to encoder: any Encoder) throws { throw Refusal() }
    struct Refusal: Error {}
  }

  @Test("is an error with a default that cannot be encoded") func unencodableDefault() throws {
    let store = SettingsStore.inMemory { _ in }
    try store.set(["old": 4], for: SettingsKey("k", default: [:]))
    let key = SettingsKey("k", default: Unencodable(new: 2))
    let error = #expect(throws: SettingsError.self) { try store.value(for: key) }
    let cause = String(describing: error?.cause)
    #expect(cause.contains("keyNotFound"))
    #expect(store[SettingsKey("k", default: [:])] == ["old": 4])
  }
}
