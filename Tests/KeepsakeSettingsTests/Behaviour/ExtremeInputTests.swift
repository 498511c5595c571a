import Foundation
import KeepsakeBase
import KeepsakeCoding
import KeepsakeSettings
import KeepsakeTestSupport
import Testing

@Suite("Extreme input", .timeLimit(.minutes(20))) struct ExtremeInputTests {
  @Test("Each Unicode scalar is a key and a value of its own; a million keys are stored")
  func everyScalar() throws {
    let step: UInt32 = TestLength.isAtLeast(.long) ? 1 : TestLength.isAtLeast(.standard) ? 11 : 101
    let scalars = stride(from: 0, through: 0x10FFFF, by: Int(step)).compactMap {
      Unicode.Scalar(UInt32($0)).map { String(Character($0)) }
    }
    func expectAll(_ store: SettingsStore) {
      #expect(store.names.count == scalars.count)
      let settings = store.snapshot()
      let wrong = scalars.first {
        Array(settings[SettingsKey($0, default: "")].utf8) != Array($0.utf8)
          || Array(store[SettingsKey($0, default: "")].utf8) != Array($0.utf8)
      }
      #expect(wrong == nil)
    }
    try withHome { home in
      let store = try home.open()
      for scalar in scalars.dropFirst(scalars.count / 2) {
        try store.set(scalar, for: SettingsKey(scalar, default: ""))
      }
      try store.transaction { settings in
        for scalar in scalars.prefix(scalars.count / 2) {
          settings[SettingsKey(scalar, default: "")] = scalar
        }
      }
      expectAll(store)
      expectAll(try home.open())
      try store.save()
      expectAll(try home.open())
      let reset = try store.reset()
      #expect(try home.open().names.isEmpty)
      try reset.undo()
      expectAll(try home.open())
    }
  }

  private struct Attachment: Codable, Equatable {
    var name = "none"
    var content = Data()
  }

  @Test("A value of 10 MB is stored, preserved and restored") func largeValue() throws {
    let count = TestLength.isAtLeast(.standard) ? 10_000_000 : 1_000_000
    let text = SettingsKey("text", default: "")
    let attachment = SettingsKey("attachment", default: Attachment())
    let file = Attachment(name: "file", content: Data(repeating: 0xAB, count: count))
    let longText = String(repeating: "é<", count: count / 3)
    try withHome { home in
      let store = try home.open(problems: Problems())
      try store.set(longText, for: text)
      try store.set(file, for: attachment)
      #expect(try home.open()[text] == longText)
      try store.save()
      let other = try home.open(problems: Problems())
      #expect(other[attachment] == file && other[text] == longText)
      try other.set(5, for: SettingsKey("text", default: 0))
      try other.set(["width": 5], for: SettingsKey("attachment", default: [:]))
      let preserved = try store.preservedValues()
      #expect(Set(preserved.map(\.key)) == ["attachment", "text"])
      for value in preserved { try store.restore(value) }
      #expect(try home.open()[attachment] == file)
      #expect(try home.open()[text] == longText)
      #expect(try store.preservedValues().map(\.value) == [5, ["width": 5]])
    }
  }

  /// A type that is never encoded to the same value twice.
  private struct Unstable: Codable, Equatable {
    static let count = Tally()
    var score = 0

    init(score: Int) { self.score = score }

    init(from decoder: any Decoder) throws {
      score = try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .score)
    }

    func encode(to encoder: any Encoder) throws {
      Self.count.add()
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(score, forKey: .score)
      try container.encode(Self.count.count, forKey: .stamp)
      if Self.count.count.isMultiple(of: 2) { try container.encode(true, forKey: .isEven) }
    }

    private enum Key: CodingKey { case score, stamp, isEven }
  }

  @Test("A type that encodes differently each time loses no change, and no unknown key")
  func unstableEncoding() throws {
    try withHome { home in
      let key = SettingsKey("unstable", default: Unstable(score: 0))
      let raw = SettingsKey<PropertyList.Value?>("unstable")
      try home.open().set(["score": 1, "unknown": [1, 2]], for: raw)
      let problems = Problems()
      for number in 1...50 {
        let store = try home.open(problems: problems)
        #expect(store[key].score == number)
        try store.transaction { $0[key].score += 1 }
        try store.set(Unstable(score: number + 1), for: key)
        guard case .dictionary(let values)? = store[raw] else {
          Issue.record("\(store[raw] as Any)")
          return
        }
        #expect(values["score"] == .integer(Int64(number + 1)))
        #expect(values["unknown"] == [1, 2])
        #expect(values.count <= 4)
      }
      #expect(problems.all.isEmpty)
    }
  }

  @Test("A default that cannot be encoded fills no key, and is a typed error when it is stored")
  func unencodableDefault() throws {
    struct Strict: Codable, Sendable {
      struct Failure: Error {}
      var score = 0
      var level = 0
      func encode(to encoder: any Encoder) throws { throw Failure() }
    }
    let problems = Problems()
    let store = SettingsStore.inMemory { problems.add($0) }
    let key = SettingsKey("strict", default: Strict(level: 3))
    let raw = SettingsKey<PropertyList.Value?>("strict")
    try store.set(["score": 1], for: raw)
    #expect(store[key].level == 3 && problems.codes == [.wrongType])
    let error = #expect(throws: SettingsError.self) { try store.set(Strict(), for: key) }
    #expect(error?.code == .unencodable && store[raw] == ["score": 1])
    store.register(defaults: key)
    #expect(problems.codes == [.wrongType, .unencodable])
    try store.remove(key)
    #expect(try store.preservedValues().map(\.value) == [["score": 1]])
  }
}
