import KeepsakeCoding
import KeepsakeSettings
import Testing

@Suite("The userInfo of a key") struct UserInfoTests {
  private static let unit = CodingUserInfoKey(rawValue: "unit")!

  /// A length that is stored in the unit that its coders name.
  private struct Length: Codable, Equatable {
    var meters: Double

    init(meters: Double) { self.meters = meters }

    init(from decoder: any Decoder) throws {
      let unit = decoder.userInfo[UserInfoTests.unit] as? Double ?? 1
      meters = try decoder.container(keyedBy: Key.self).decode(Double.self, forKey: .length) * unit
    }

    func encode(to encoder: any Encoder) throws {
      let unit = encoder.userInfo[UserInfoTests.unit] as? Double ?? 1
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(meters / unit, forKey: .length)
    }

    private enum Key: CodingKey { case length }
  }

  @Test("reaches the type when it is encoded and decoded") func coding() throws {
    let store = SettingsStore.inMemory()
    let kilometers = SettingsKey(
      "length", default: Length(meters: 0), userInfo: [Self.unit: 1000.0])
    try store.set(Length(meters: 2500), for: kilometers)
    #expect(store[kilometers] == Length(meters: 2500))
    #expect(store[SettingsKey("length", default: ["": 0.0])] == ["length": 2.5])
    #expect(store[SettingsKey("length", default: Length(meters: 0))] == Length(meters: 2.5))

    let optional = SettingsKey<Length?>("optional", userInfo: [Self.unit: 10.0])
    try store.set(Length(meters: 5), for: optional)
    #expect(store[optional] == Length(meters: 5))
    #expect(store[SettingsKey("optional", default: ["": 0.0])] == ["length": 0.5])
  }

  @Test("reaches it when another version's keys are kept") func evolution() throws {
    let store = SettingsStore.inMemory { _ in }
    let key = SettingsKey("length", default: Length(meters: 70), userInfo: [Self.unit: 10.0])
    try store.set(["width": 3.0], for: SettingsKey("length", default: [:]))
    #expect(store[key] == Length(meters: 70))
    try store.set(Length(meters: 20), for: key)
    #expect(store[SettingsKey("length", default: ["": 0.0])] == ["length": 2, "width": 3])
  }
}
