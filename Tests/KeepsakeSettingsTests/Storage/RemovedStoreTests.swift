import KeepsakeFiles
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@testable import KeepsakeSettings

@Suite("A store whose files one process removes")
struct RemovedStoreTests {
  private let name = SettingsKey("name", default: "")

  private func open(_ disk: SimulatedDisk) throws -> SettingsStore {
    try SettingsStore(file: "/app/small.plist", fileSystem: disk, isAutomatic: false)
  }

  @Test(
    "P5: other processes keep their values in memory and create no file again",
    arguments: [false, true])
  func staysRemoved(isSavedMeanwhile: Bool) async throws {
    let disk = SimulatedDisk()
    let (store, other) = try (open(disk), open(disk))
    try store.set("kept", for: name)
    // The other one has not read that the journal has ended.
    if isSavedMeanwhile { try store.save() }
    try store.removeFiles()
    try other.set("in memory", for: name)
    try other.save()
    try await other.synchronize()
    #expect(other[name] == "in memory")
    #expect(try disk.contents(ofDirectory: "/app") == [])
    try store.set("in memory, too", for: name)
    #expect(store[name] == "in memory, too")
    #expect(try disk.contents(ofDirectory: "/app") == [])
    #expect(try open(disk)[name] == "")
  }

  @Test("What a process that was killed has left of removed files is gone once they are opened")
  func killedWhileRemoving() throws {
    var number = 0
    var hasFailed = true
    while hasFailed {
      number += 1
      let disk = SimulatedDisk()
      let store = try open(disk)
      for value in ["one", "two"] {
        try store.set(value, for: name)
        try store.save()
      }
      try store.set("three", for: name)
      let failing = disk.calls.count + number
      disk.fail(call: failing, with: .ioError)
      do { try store.removeFiles() } catch {}
      hasFailed = disk.calls.count >= failing
      let restarted = disk.restarted()
      let next = try open(restarted)
      #expect(next[name] == (store.areFilesRemoved ? "" : "three"), "call \(number)")
      try next.set("new", for: name)
      try next.save()
      #expect(try open(restarted)[name] == "new", "call \(number)")
    }
    #expect(number > 5)
  }

  @Test(
    "A property list that replaces removed files stays, also if a journal of them is left",
    arguments: [false, true])
  func restoredAfterRemoval(isLast: Bool) throws {
    let disk = SimulatedDisk()
    let backup: [UInt8]
    let store = try open(disk)
    if !isLast {
      try store.set("one", for: name)
      try store.save()
    }
    try store.set(isLast ? "one" : "two", for: name)
    if isLast { try store.save() }
    backup = try #require(disk.bytes(at: "/app/small.plist"))
    try store.save()
    let journals = disk.files.keys.filter { $0.string.contains("journal") }
    let last = try #require(journals.max { $0.string < $1.string })
    disk.failAlways(.remove)
    #expect(throws: FileError.self) { try store.removeFiles() }
    let restarted = disk.restarted()
    for path in [FilePath("/app/small.plist")] + journals where path != last {
      if restarted.files[path] != nil { try restarted.remove(path) }
    }
    try restarted.write(backup, to: "/app/small.plist")
    for _ in 0..<2 { #expect(try open(restarted)[name] == "one") }
  }

  @Test("A process that missed saves goes on with the files, also if somebody removed the lock")
  func removedLock() throws {
    try withTemporaryDirectory { directory in
      let file = directory.appending("small.plist")
      func open() throws -> SettingsStore {
        try SettingsStore(file: file, fileSystem: LocalFileSystem(), isAutomatic: false)
      }
      let (store, other) = try (open(), open())
      try LocalFileSystem().remove(directory.appending("small.lock"))
      for number in 1...3 {
        try store.set("\(number)", for: name)
        try store.save()
      }
      try other.set("later", for: name)
      try other.save()
      #expect(try !other.areFilesRemoved && open()[name] == "later")
    }
  }
}
