import KeepsakeCoding
import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import Testing

@Suite("A stored value of a newer version, with unknown keys") struct UnknownKeyTests {
  struct Old: Codable, Equatable {
    var name: String
    var scores: [String: Int] = [:]
  }
  struct New: Codable, Equatable {
    var name: String
    var scores: [String: Int] = [:]
    var theme = "dark"
  }

  private let oldKey = SettingsKey("k", default: Old(name: ""))
  private let newKey = SettingsKey("k", default: New(name: "", theme: "default"))

  @Test("keeps them however often an older version changes it") func changes() throws {
    try withHome { home in
      for round in 1...3 {
        let store = try home.open()
        try store.set(New(name: "new", scores: ["a": 1, "b": 2], theme: "\(round)"), for: newKey)
        let old = try home.open()
        for count in 1...3 {
          old[oldKey].name += "\(count)"
          old[oldKey].scores["a"] = nil
        }
        try old.transaction { $0[oldKey].scores["c"] = round }
        #expect(old[oldKey] == Old(name: "new123", scores: ["b": 2, "c": round]))
        let expected = New(name: "new123", scores: ["b": 2, "c": round], theme: "\(round)")
        #expect(try home.open().value(for: newKey) == expected)
        #expect(try old.preservedValues().isEmpty)
      }
    }
  }

  @Test("keeps them when both versions have the store open") func together() throws {
    try withHome { home in
      let (old, new) = (try home.open(), try home.open())
      for round in 1...50 {
        new[newKey].theme = "\(round)"
        try new.synchronizeAndWait()
        // Reads the change first, although it was not notified yet.
        try old.set(Old(name: "\(round)"), for: oldKey)
        try new.transaction { settings in
          #expect(settings[newKey] == New(name: "\(round)", theme: "\(round)"))
        }
      }
    }
  }

  @Test("loses them when it is removed") func removal() throws {
    let store = SettingsStore.inMemory { _ in }
    try store.set(New(name: "a"), for: newKey)
    try store.remove(oldKey)
    #expect(store.names.isEmpty)
    try store.set(Old(name: "b"), for: oldKey)
    #expect(store[SettingsKey<PropertyList.Value?>("k")] == ["name": "b", "scores": [:]])
  }
}
