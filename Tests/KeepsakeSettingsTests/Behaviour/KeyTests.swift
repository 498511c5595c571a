import FoundationEssentials
import KeepsakeCoding
import KeepsakeFiles
import KeepsakeSettings
import Testing

@Suite("Keys") struct KeyTests {
  static let strange = [
    "", " ", ".", "..", "a.b.c", ".a", "a.", "../escape", "/etc/passwd", "a/b", "\\", "-x", "--",
    "two words", "\n", "\t\r\n", "\u{0}", "a\u{0}b", "\u{1}\u{1F}", "\u{FFFE}", "\u{FEFF}",
    "<key>&amp;", "]]>", "🏋️", "👩‍👩‍👧‍👦", "日本語", "NULL", "nil", "$class", "@count", "%@",
    "KeepsakeSettings", String(repeating: "long ", count: 2000),
  ]

  @Test("Any string can be a key") func anyString() throws {
    try withHome { home in
      let store = try home.open()
      for (number, name) in Self.strange.enumerated() {
        try store.set(number, for: SettingsKey(name, default: -1))
      }
      func expectAll(_ store: SettingsStore) {
        for (number, name) in Self.strange.enumerated() {
          #expect(store[SettingsKey(name, default: -1)] == number, "\(name.prefix(20))")
        }
        #expect(store.names.count == Self.strange.count)
        #expect(Set(store.names) == Set(Self.strange))
      }
      expectAll(store)
      expectAll(try home.open())
      try store.save()
      expectAll(try home.open())
      // No key becomes a path.
      #expect(
        try Set(LocalFileSystem().contents(ofDirectory: home.container.preferences)).count == 3)
    }
  }

  @Test("A key with dots is one key, not a path into others") func dots() {
    let store = SettingsStore.inMemory()
    store[SettingsKey("a", default: [:])] = ["b": 1]
    #expect(store[SettingsKey("a.b", default: 0)] == 0)
    store[SettingsKey("a.b", default: 0)] = 2
    #expect(store[SettingsKey("a", default: [:])] == ["b": 1])
    #expect(store[SettingsKey("a.b", default: 0)] == 2)
  }

  @Test("Keys that differ in case, width or spaces are different")
  func distinctKeys() {
    let store = SettingsStore.inMemory()
    let names = ["key", "Key", "key ", " key", "ｋey", "kеy"]
    for (number, name) in names.enumerated() { store[SettingsKey(name, default: -1)] = number }
    #expect(names.map { store[SettingsKey($0, default: -1)] } == [0, 1, 2, 3, 4, 5])
  }

  @Test(
    "Keys with different bytes are different, even if Unicode considers them equal",
    arguments: [
      ("K", "\u{212A}"), ("caf\u{E9}", "cafe\u{301}"), ("\u{AC00}", "\u{1100}\u{1161}"),
      ("\u{1E9B}\u{323}", "\u{17F}\u{323}\u{307}"),
    ])
  func unicodeSpellings(name: String, spelling: String) throws {
    try withHome { home in
      let one = SettingsKey(name, default: 0)
      let other = SettingsKey(spelling, default: 0)
      do {
        let store = try home.open()
        let property = AppStorage(one, store: store)
        store.register(defaults: [name: 10])
        #expect(store[one] == 10 && store[other] == 0)
        store[other] = 2
        #expect(store[one] == 10 && property.wrappedValue == 10)
        store[one] = 1
        try store.save()
        store[other] = 3
        try store.save()
        try store.transaction {
          $0[one] += 1
          $0[other] += 1
        }
        #expect(store[one] == 2 && store[other] == 4 && property.wrappedValue == 2)
      }
      let store = try home.open()
      #expect(store[one] == 2 && store[other] == 4)
      #expect(store.names.map { Array($0.utf8) }.count == 2)
      try store.remove(other)
      #expect(store[one] == 2 && store[other] == 0)
      try store.save()
      let again = try home.open()
      #expect(again[one] == 2 && again[other] == 0)
      #expect(again.names.map { Array($0.utf8) } == [Array(name.utf8)])
    }
  }

  @Test("A removed key is missing from the file and the next store") func removal() throws {
    try withHome { home in
      let key = SettingsKey("k", default: 7)
      do {
        let store = try home.open()
        store[key] = 1
        store[SettingsKey("other", default: 0)] = 1
        try store.save()
        try store.remove(key)
        #expect(store[key] == 7 && store.names == ["other"])
        #expect(try home.open()[key] == 7)
        try store.remove(key)
        try store.remove(SettingsKey("never", default: 0))
      }
      #expect(try !home.text().contains("<key>k</key>"))
      #expect(try home.open().names == ["other"])
    }
  }
}
