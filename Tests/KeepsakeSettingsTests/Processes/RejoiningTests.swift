import KeepsakeFiles
import KeepsakeTestSupport
import SystemPackage
import Testing

@testable import KeepsakeSettings

/// The steps of real processes, one by one: whoever is not told of an edit hears of it later, from
/// the others' journals or from the property list.
@Suite("Stores that hear of an edit one after the other") struct RejoiningTests {
  private let files = LocalFileSystem()

  private func open(_ path: FilePath) throws -> SettingsStore {
    try SettingsStore(file: path, fileSystem: files, isAutomatic: false) { problem in
      Issue.record("\(problem)")
    }
  }

  /// Gives the value `name` of the property list another text.
  private func edit(_ path: FilePath, to text: String) throws {
    let old = String(decoding: try files.readFile(at: path)!, as: UTF8.self)
    let new = old.replacing(/<string>by hand \d<\/string>/, with: "<string>\(text)</string>")
    try #require(new != old)
    try files.replaceFile(at: path, with: Array(new.utf8))
  }

  private func expect(
    _ values: [String: String], in stores: SettingsStore..., then path: FilePath
  ) throws {
    for (index, store) in stores.enumerated() {
      // Whoever writes has caught up with all others.
      try store.set("\(index)", for: SettingsKey("last", default: ""))
      for (name, value) in values {
        #expect(store[SettingsKey(name, default: "")] == value, "\(name) in store \(index)")
      }
    }
    for store in stores { try store.save() }
    let newcomer = try open(path)
    for (name, value) in values {
      #expect(newcomer[SettingsKey(name, default: "")] == value, "\(name) in a newcomer")
    }
  }

  @Test("P1: lose no change that was under way", arguments: [true, false])
  func loseNoChangeThatWasUnderWay(isOtherFirst: Bool) throws {
    try withTemporaryDirectory(isInMemory: true) { directory in
      let path = directory.appending("small.plist")
      let (one, other) = try (open(path), open(path))
      try one.set("by hand 0", for: SettingsKey("name", default: ""))
      try one.save()
      try one.set("set", for: SettingsKey("first", default: ""))
      try other.set("set", for: SettingsKey("second", default: ""))
      try edit(path, to: "by hand 1")
      one.app.handleDirectoryChangeNow()
      try edit(path, to: "by hand 2")
      for store in isOtherFirst ? [other, one] : [one, other] {
        store.app.handleDirectoryChangeNow()
      }
      try expect(
        ["name": "by hand 2", "first": "set", "second": "set"], in: one, other, then: path)
    }
  }

  @Test("P5: pass it on, although they missed what came before") func pass() throws {
    try withTemporaryDirectory(isInMemory: true) { directory in
      let path = directory.appending("small.plist")
      let (one, other) = try (open(path), open(path))
      for round in 0..<3 {
        try one.set("by hand 0", for: SettingsKey("name", default: ""))
        try one.set("\(round)", for: SettingsKey("round", default: ""))
        try one.save()
      }
      try one.set("set", for: SettingsKey("first", default: ""))
      try edit(path, to: "by hand 1")
      other.app.handleDirectoryChangeNow()
      one.app.handleDirectoryChangeNow()
      try expect(["name": "by hand 1", "round": "2", "first": "set"], in: one, other, then: path)
    }
  }

  @Test("P5: learn it from one who came when it was made already") func learnItFromOneWhoCame()
    throws
  {
    try withTemporaryDirectory(isInMemory: true) { directory in
      let path = directory.appending("small.plist")
      let one = try open(path)
      try one.set("by hand 0", for: SettingsKey("name", default: ""))
      try one.save()
      try one.set("set", for: SettingsKey("first", default: ""))
      try edit(path, to: "by hand 1")
      let newcomer = try open(path)
      #expect(newcomer[SettingsKey("name", default: "")] == "by hand 1")
      try expect(["name": "by hand 1", "first": "set"], in: one, newcomer, then: path)
    }
  }

  @Test(
    "P4: know what they knew while the editor is in the midst of writing",
    arguments: ["", "<plist><dict><key>name</key><stri"])
  func knowWhatTheyKnewWhileTheEditor(text: String) throws {
    try withTemporaryDirectory(isInMemory: true) { directory in
      let path = directory.appending("small.plist")
      let (one, other) = try (open(path), open(path))
      for round in 0..<3 {
        try one.set("by hand 0", for: SettingsKey("name", default: ""))
        try one.set("\(round)", for: SettingsKey("round", default: ""))
        try other.set("\(round)", for: SettingsKey("other", default: ""))
        try one.save()
      }
      let whole = try files.readFile(at: path)!
      try one.set("set", for: SettingsKey("first", default: ""))
      try one.save()
      try one.save()
      try files.replaceFile(at: path, with: Array(text.utf8))
      for store in [other, one] { store.app.handleDirectoryChangeNow() }
      try files.replaceFile(at: path, with: whole)
      try edit(path, to: "by hand 1")
      for store in [other, one] { store.app.handleDirectoryChangeNow() }
      try expect(["name": "by hand 1", "round": "2", "other": "2"], in: one, other, then: path)
    }
  }
}
