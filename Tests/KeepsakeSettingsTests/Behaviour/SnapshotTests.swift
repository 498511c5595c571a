import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import KeepsakeTestSupport
import Testing

@testable import KeepsakeSettings

@Suite("A snapshot of the settings", .timeLimit(.minutes(10))) struct SnapshotTests {
  private let store = SettingsStore.inMemory()
  private let width = SettingsKey("window.width", default: 800)
  private let height = SettingsKey("window.height", default: 600)

  @Test("keeps its values when the settings change") func values() throws {
    let empty = store.snapshot()
    try store.set(1, for: width)
    let one = store.snapshot()
    try store.set(2, for: width)
    try store.remove(height)
    #expect(empty[width] == 800 && one[width] == 1 && store.snapshot()[width] == 2)
    #expect(one[height] == 600)
  }

  @Test("contains all changes of a transaction or none, also of another process")
  func consistency() async throws {
    try await withTemporaryDirectory { root in
      let home = Home(root: root)
      let writer = try home.open()
      let reader = try home.open()
      let writing = Task { [width, height] in
        for number in 1...2000 {
          try writer.transaction { settings in
            settings[width] = number
            settings[height] = -number
          }
        }
      }
      var last = 0
      while last < 2000 {
        for store in [reader, writer] {
          let settings = store.snapshot()
          let number = settings[width]
          if number == 800 && settings[height] == 600 { continue }
          try #require(settings[height] == -number)
          if store === reader {
            try #require(number >= last)
            last = number
          }
        }
        await Task.yield()
      }
      try await writing.value
    }
  }

  @Test("reads all layers, and reports a value of another type once") func layers() throws {
    try withHome { home in
      try home.write(
        "<key>managed</key><integer>1</integer>", to: home.container.managedPreferences)
      try home.open(suite: "group").set(2, for: SettingsKey("group", default: 0))
      let problems = Problems()
      let store = try home.open(
        groups: ["group"], arguments: ["-argument", "3"], problems: problems)
      store.register(defaults: ["registered": 4])
      try store.set("text", for: SettingsKey("other", default: ""))
      let settings = store.snapshot()
      let names = ["managed", "group", "argument", "registered"]
      #expect(names.map { settings[SettingsKey($0, default: 0)] } == [1, 2, 3, 4])
      for _ in 0..<3 { #expect(settings[SettingsKey("other", default: 5)] == 5) }
      #expect(problems.codes == [.wrongType])
    }
  }

  @Test("names the changes since another one, to the byte") func changes() throws {
    let accent = SettingsKey("accent", default: "")
    try store.set("\u{E9}", for: accent)
    try store.set(1, for: SettingsKey("K", default: 0))
    try store.set(.nan, for: SettingsKey("nan", default: 0.0))
    let first = store.snapshot()
    #expect(first.changes(since: first).isEmpty)
    try store.set("e\u{301}", for: accent)
    try store.set(2, for: SettingsKey("\u{212A}", default: 0))
    try store.remove(SettingsKey("K", default: 0))
    try store.set(5, for: width)
    try store.set(.nan, for: SettingsKey("nan", default: 0.0))
    let changes = store.snapshot().changes(since: first)
    #expect(
      changes.map { Array($0.key.utf8) }
        == ["K", "accent", "window.width", "\u{212A}"].map { Array($0.utf8) })
    #expect(changes.map(\.old) == [1, "\u{E9}", nil, nil])
    #expect(changes.map(\.new) == [nil, "e\u{301}", 5, 2])
    let back = first.changes(since: store.snapshot())
    #expect(back.map(\.old) == changes.map(\.new) && back.map(\.new) == changes.map(\.old))
  }

  @Test("can be compared with one from before the property list was written, or of other settings")
  func changesOfFiles() throws {
    try withHome { home in
      let store = try home.open()
      for number in 0..<100 { try store.set(number, for: SettingsKey("\(number)", default: -1)) }
      let first = store.snapshot()
      try store.save()
      try store.set(0, for: SettingsKey("1", default: -1))
      try store.save()
      let changes = store.snapshot().changes(since: first)
      #expect(changes.map(\.key) == ["1"] && changes.map(\.old) == [1])
      #expect(changes.map(\.new) == [0])
      let other = try home.open()
      #expect(other.snapshot().changes(since: first) == changes)
      #expect(other.snapshot().changes(since: self.store.snapshot()).count == 100)
    }
  }

  @Test("costs other changes nothing any more once its loop has ended") func endedSequence() async {
    let store = SettingsStore.inMemory()
    for _ in 0..<3 {
      for await _ in store.snapshots(prefix: "window.") {
        let isUnused = store.layers.observers.isUnused.load(ordering: .acquiring)
        #expect(!isUnused)
        break
      }
      let isUnused = store.layers.observers.isUnused.load(ordering: .acquiring)
      #expect(isUnused)
    }
  }

  @Test("follows each change of a key with the prefix, and no other") func sequence() async throws {
    try await withHome { home in
      let store = try home.open()
      let other = try home.open()
      let woken = Tally()
      let loop = Task { [width] in
        for await settings in store.snapshots(prefix: "window.") {
          woken.add()
          if settings[width] == 100 { return }
        }
      }
      while woken.count == 0 { await Task.yield() }
      for number in 0..<500 { try store.set(number, for: SettingsKey("windowless", default: 0)) }
      try store.transaction { _ = $0[width] }
      #expect(woken.count == 1)
      try store.set(1, for: width)
      while woken.count < 2 { await Task.yield() }
      try other.set(1, for: height)
      while woken.count < 3 { await Task.yield() }
      try store.remove(height)
      while woken.count < 4 { await Task.yield() }
      store.register(defaults: ["window.depth": 1])
      while woken.count < 5 { await Task.yield() }
      try other.transaction { [width] in $0[width] = 100 }
      await loop.value
      #expect(woken.count == 6)
    }
  }

  @Test("is not missed by a loop, however fast the changes are") func latest() async throws {
    let loops = (0..<4).map { _ in
      Task { [store, width] in
        var last = 0
        for await settings in store.snapshots() where settings[width] != 800 {
          #expect(settings[width] >= last)
          last = settings[width]
          if last == 5000 { break }
        }
        return last
      }
    }
    for number in 1...5000 { try store.set(number, for: width) }
    for loop in loops { #expect(await loop.value == 5000) }
  }
}
