import Foundation
import KeepsakeCoding
import KeepsakeFiles
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@testable import KeepsakeSettings

@Suite("A stored value that cannot be read, and is replaced") struct PreservedValueTests {
  private enum Theme: String, Codable { case light, dark }
  private struct Player: Codable { var score = 0 }

  private let raw = SettingsKey<PropertyList.Value?>("k")

  /// Stores a value, replaces it in a new process's store, and returns what was preserved.
  private func replace(
    _ stored: PropertyList.Value, _ change: (SettingsStore) throws -> Void
  ) throws -> [PropertyList.Value] {
    try withHome { home in
      let problems = Problems()
      try home.open().set(stored, for: raw)
      let store = try home.open(problems: problems)
      try change(store)
      let preserved = try home.open().preservedValues()
      #expect(preserved.allSatisfy { $0.key == "k" && !$0.reason.isEmpty })
      #expect(problems.codes.filter { $0 == .preserved }.count == preserved.count)
      return preserved.map(\.value)
    }
  }

  @Test("is preserved, of any type, and however it is replaced") func preserved() throws {
    let number = SettingsKey("k", default: 7)
    let stored: PropertyList.Value = "text"
    #expect(try replace(stored) { $0[number] = 8 } == [stored])
    #expect(try replace(stored) { try $0.set(8, for: number) } == [stored])
    #expect(try replace(stored) { try $0.remove(number) } == [stored])
    #expect(try replace(stored) { try $0.set(nil, for: SettingsKey<Int?>("k")) } == [stored])
    #expect(try replace(stored) { try $0.transaction { $0[number] += 1 } } == [stored])
    #expect(try replace(stored) { try $0.transaction { $0.remove(number) } } == [stored])
    let repeated = try replace(stored) { store in
      let property = AppStorage(number, store: store)
      for _ in 0..<3 { property.wrappedValue += 1 }
    }
    #expect(repeated == [stored])
    #expect(
      try replace("sepia") { $0[SettingsKey("k", default: Theme.dark)] = .light } == ["sepia"])
    let damaged: PropertyList.Value = .data(Data("{\"score\":1".utf8))
    #expect(
      try replace(damaged) { $0[SettingsKey("k", default: Player())].score += 1 } == [damaged])
    let newer: PropertyList.Value = ["score": ["total": 5]]
    #expect(try replace(newer) { $0[SettingsKey("k", default: Player())].score += 1 } == [newer])
    #expect(try replace(.real(.nan)) { $0[number] = 1 }.count == 1)
    let noDate = PropertyList.Value.date(Date(timeIntervalSinceReferenceDate: .nan))
    #expect(try replace(noDate) { $0[number] = 1 }.count == 1)
  }

  @Test(
    "is preserved although the change that wrote it was not noticed yet", arguments: [true, false])
  func unnoticed(isRemoved: Bool) throws {
    try withHome { home in
      let key = SettingsKey("k", default: Theme.dark)
      let (old, new) = (try home.open(), try home.open())
      for round in 1...50 {
        try old.set(.light, for: key)
        try new.set(.string("\(round)"), for: raw)
        try isRemoved ? old.remove(key) : old.set(.dark, for: key)
      }
      let expected = (1...50).map { PropertyList.Value.string("\($0)") }
      #expect(try old.preservedValues().map(\.value) == expected)
      #expect(try home.open().value(for: raw) == (isRemoved ? nil : "dark"))
    }
  }

  @Test("is not preserved if it can be read, or the app converts it") func readable() throws {
    #expect(try replace(5) { $0[SettingsKey("k", default: 7)] = 8 } == [])
    #expect(try replace(5) { $0[SettingsKey("k", default: 7.5)] = 8 } == [])
    #expect(try replace("a") { try $0.transaction { _ = $0.rename("k", to: "l") } } == [])
    let converted = try replace("12") { store in
      try store.transaction { settings in
        let text = settings[SettingsKey("k", default: "")]
        settings[SettingsKey("k", default: 0)] = Int(text) ?? 0
      }
      #expect(store[SettingsKey("k", default: 0)] == 12)
    }
    #expect(converted.isEmpty)
    let changedTwice = try replace(5) { store in
      try store.transaction { settings in
        settings[SettingsKey("k", default: 0)] = 6
        settings[SettingsKey("k", default: "")] = "six"
      }
    }
    #expect(changedTwice.isEmpty)

    let store = SettingsStore.inMemory { _ in }
    try store.set("text", for: raw)
    try store.transaction { settings in
      settings.rename("k", to: "l")
      settings[SettingsKey("l", default: 0)] = 6
    }
    let preserved = try store.preservedValues()
    #expect(preserved.map(\.key) == ["l"] && preserved.map(\.value) == ["text"])
  }

  @Test("can be restored, and the value that it replaces is preserved") func restoring() throws {
    try withHome { home in
      try home.open().set("text", for: raw)
      let store = try home.open(problems: Problems())
      store[SettingsKey("k", default: 7)] = 8
      for _ in 0..<4 {
        let preserved = try #require(try store.preservedValues().first)
        #expect(try store.preservedValues().count == 1)
        let current = store[raw]
        try store.restore(preserved)
        #expect(store[raw] == preserved.value)
        #expect(try store.preservedValues().map(\.value) == [current])
      }
    }
  }

  @Test("is preserved once, however often two versions take turns") func turns() throws {
    try withHome { home in
      for _ in 0..<5 {
        try home.open(problems: Problems()).set("text", for: SettingsKey("k", default: ""))
        try home.open(problems: Problems()).set(8, for: SettingsKey("k", default: 7))
      }
      #expect(try home.open().preservedValues().map(\.value) == ["text", 8])
    }
  }

  @Test("stays if it cannot be preserved") func full() throws {
    let disk = SimulatedDisk()
    let path: FilePath = "/app/app.plist"
    func open() throws -> SettingsStore {
      try SettingsStore(file: path, fileSystem: disk, isAutomatic: false) { _ in }
    }
    try open().set("text", for: raw)
    let store = try open()
    disk.failAlways(.link)
    let error = #expect(throws: SettingsError.self) {
      try store.set(8, for: SettingsKey("k", default: 7))
    }
    #expect(error?.code == .notWritten)
    #expect(store[raw] == "text")
    disk.stopFailing()
    try store.set(8, for: SettingsKey("k", default: 7))
    #expect(try store.preservedValues().map(\.value) == ["text"])
  }

  @Test("is stored or preserved after a power cut") func powerCut() async throws {
    let disk = SimulatedDisk()
    let path: FilePath = "/app/app.plist"
    func open(_ disk: SimulatedDisk) throws -> SettingsStore {
      try SettingsStore(file: path, fileSystem: disk, isAutomatic: false) { _ in }
    }
    let first = try open(disk)
    try first.set("text", for: raw)
    try await first.synchronize()
    try open(disk).set(8, for: SettingsKey("k", default: 7))
    var replaced = 0
    for disk in await disk.statesAfterPowerCut(samples: 256) {
      let store = try open(disk)
      let preserved = try store.preservedValues().map(\.value)
      if store[raw] == 8 {
        replaced += 1
        #expect(preserved == ["text"])
      } else {
        #expect(store[raw] == "text")
      }
    }
    #expect(replaced > 0)
  }

  @Test("A damaged file of a preserved value is reported, and the others are listed") func damaged()
    throws
  {
    try withHome { home in
      for value in ["a", "b"] {
        try home.open().set(value, for: SettingsKey("k", default: ""))
        try home.open(problems: Problems()).set(8, for: SettingsKey("k", default: 7))
      }
      let file = try #require(try home.open().preservedValues().first?.file)
      try LocalFileSystem().replaceFile(at: file, with: Array("<plist><dict><key>".utf8))
      let problems = Problems()
      let store = try home.open(problems: problems)
      #expect(try store.preservedValues().map(\.value) == [8, "b"])
      #expect(problems.codes.contains(.damaged))
      #expect(problems.all.contains { $0.file == file })
      try store.set("c", for: SettingsKey("k", default: ""))
      #expect(try LocalFileSystem().readFile(at: file) != nil)
    }
  }

  @Test("is preserved for each key and value whose bytes differ") func exactNames() throws {
    let store = SettingsStore.inMemory { _ in }
    for name in ["K", "\u{212A}"] {
      for text in ["\u{E9}", "e\u{301}"] {
        try store.set(text, for: SettingsKey(name, default: ""))
        try store.set(8, for: SettingsKey(name, default: 7))
        try store.remove(SettingsKey(name, default: 7))
      }
    }
    #expect(try store.preservedValues().count == 4)
  }

  @Test("is preserved in memory by a store in memory") func memory() throws {
    let store = SettingsStore.inMemory { _ in }
    try store.set("text", for: SettingsKey("k", default: ""))
    try store.set(8, for: SettingsKey("k", default: 7))
    let preserved = try store.preservedValues()
    #expect(preserved.map(\.value) == ["text"])
    try store.restore(preserved[0])
    #expect(store[SettingsKey("k", default: "")] == "text")
  }
}
