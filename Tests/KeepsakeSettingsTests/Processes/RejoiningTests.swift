import KeepsakeFiles
import KeepsakeTestSupport
import SystemPackage
import Testing

@testable import KeepsakeSettings

/// The steps of real processes, one by one: a store that is not notified of an edit receives it
/// later, from the others' journals or from the property list.
@Suite("Stores that receive an edit one after the other") struct RejoiningTests {
  private let files = LocalFileSystem()

  private func open(_ path: FilePath) throws -> SettingsStore {
    try SettingsStore(file: path, fileSystem: files, isAutomatic: false) { problem in
      Issue.record("\(problem)")
    }
  }

  /// Changes the value `name` in the property list.
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
      // A store that writes has read the changes of all others.
      try store.set("\(index)", for: SettingsKey("last", default: ""))
      for (name, value) in values {
        #expect(store[SettingsKey(name, default: "")] == value, "\(name) in store \(index)")
      }
    }
    for store in stores { try store.save() }
    let newStore = try open(path)
    for (name, value) in values {
      #expect(newStore[SettingsKey(name, default: "")] == value, "\(name) in a new store")
    }
  }

  @Test(
    "P1: An edit loses no change that is not yet in the property list", arguments: [true, false])
  func unsavedChanges(isOtherFirst: Bool) throws {
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

  @Test("P5: Stores pass an edit on although they missed earlier changes")
  func missedChanges() throws {
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

  @Test("P5: A store receives an edit from one that was opened after it") func newStore() throws {
    try withTemporaryDirectory(isInMemory: true) { directory in
      let path = directory.appending("small.plist")
      let one = try open(path)
      try one.set("by hand 0", for: SettingsKey("name", default: ""))
      try one.save()
      try one.set("set", for: SettingsKey("first", default: ""))
      try edit(path, to: "by hand 1")
      let newStore = try open(path)
      #expect(newStore[SettingsKey("name", default: "")] == "by hand 1")
      try expect(["name": "by hand 1", "first": "set"], in: one, newStore, then: path)
    }
  }

  @Test(
    "P4: Stores keep their values while an editor is still writing",
    arguments: ["", "<plist><dict><key>name</key><stri"])
  func incompleteEdit(text: String) throws {
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
