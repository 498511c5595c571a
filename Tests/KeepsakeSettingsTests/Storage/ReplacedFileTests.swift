import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import KeepsakeTestSupport
import KeepsakeTesting
import Observation
import SystemPackage
import Testing

@testable import KeepsakeSettings

@Suite("Files that are restored, removed or created by others")
struct ReplacedFileTests {
  private let files = LocalFileSystem()
  private let name = SettingsKey("name", default: "")

  private func open(_ path: FilePath, _ problems: Problems = Problems()) throws -> SettingsStore {
    try SettingsStore(file: path, fileSystem: files, isAutomatic: false) { problems.add($0) }
  }

  @Test(
    "P4: An old property list that was restored opens with its values", .timeLimit(.minutes(10)))
  func oldPropertyList() throws {
    try withTemporaryDirectory(isInMemory: true) { directory in
      let path = directory.appending("small.plist")
      var old: [UInt8] = []
      for round in 0..<5 {
        let store = try open(path)
        try store.set("\(round)", for: name)
        try store.save()
        if round == 1 { old = try files.readFile(at: path)! }
      }
      try files.replaceFile(at: path, with: old)
      for _ in 0..<2 { #expect(try open(path)[name] == "1") }
      // Also one that is restored while the store is open.
      let store = try open(path)
      try store.set("later", for: SettingsKey("other", default: ""))
      try files.replaceFile(at: path, with: old)
      store.app.handleDirectoryChangeNow()
      #expect(store[name] == "1")
      #expect(try open(path)[SettingsKey("other", default: "")] == "later")
    }
  }

  @Test("P5: A missing journal between others does not prevent opening", .timeLimit(.minutes(10)))
  func missingJournal() throws {
    try withTemporaryDirectory(isInMemory: true) { directory in
      let path = directory.appending("small.plist")
      do {
        let store = try open(path)
        try store.set("saved", for: name)
      }
      // As after a partial restore of a backup.
      var journal = try Journal(
        opening: directory.appending("small.journal-7"), .appendCreating, in: files)
      _ = try journal.append { bytes in
        SettingsRecord.begin(.set, generation: 7, offset: 0, in: &bytes)
        SettingsRecord.add(.string("kept"), of: "other", before: nil, to: &bytes)
      }
      for _ in 0..<2 {
        let store = try open(path)
        #expect(store[name] == "saved")
        #expect(store[SettingsKey("other", default: "")] == "kept")
      }
    }
  }

  @Test("P6: An observer of an external change may save and synchronize", .timeLimit(.minutes(10)))
  func observerThatSaves() throws {
    try withTemporaryDirectory(isInMemory: true) { directory in
      let path = directory.appending("small.plist")
      let (one, other) = try (open(path), open(path))
      for isSave in [true, false] {
        let calls = Mutex(0)
        withObservationTracking {
          _ = other[name]
        } onChange: {
          calls.withLock { $0 += 1 }
          try? other.save()
          try? other.app.synchronizeNow()
        }
        try one.set("from one \(isSave)", for: name)
        if isSave { try other.save() } else { try other.synchronizeAndWait() }
        #expect(calls.withLock { $0 } == 1)
        #expect(other[name] == "from one \(isSave)")
      }
    }
  }

  @Test("P2: A journal that replaced a flushed one is flushed itself")
  func flushedAgain() throws {
    let disk = SimulatedDisk()
    let path: FilePath = "/app/small.plist"
    let store = try SettingsStore(file: path, fileSystem: disk, isAutomatic: false)
    for number in 0..<20 { try store.set("\(number)", for: name) }
    try store.synchronizeAndWait()
    try disk.remove("/app/small.journal-1")
    store.app.handleDirectoryChangeNow()
    try store.set("new", for: name)
    let before = disk.calls.count
    try store.synchronizeAndWait()
    let flushes = disk.calls[before...].filter { $0.operation == .synchronize }.map(\.path)
    #expect(flushes == ["/app/small.journal-1", "/app"])
    #expect(
      try SettingsStore(file: path, fileSystem: disk.restarted(), isAutomatic: false)[name] == "new"
    )
  }

  @Test("A journal that the property list contains is not kept open")
  func filesOfContainedJournals() throws {
    let disk = SimulatedDisk()
    let stores = try (0..<2).map { _ in
      try SettingsStore(file: "/app/small.plist", fileSystem: disk, isAutomatic: false)
    }
    for round in 0..<20 {
      try stores[0].set("\(round)", for: name)
      try stores[0].save()
      stores[1].app.handleDirectoryChangeNow()
      for store in stores { #expect(store.app.writer.withLock { $0.unflushed.isEmpty }) }
    }
  }

  @Test("P5: What was set in new files remains when a process adds to them what it had set before")
  func firstReopening() throws {
    try withTemporaryDirectory(isInMemory: true) { directory in
      let path = directory.appending("small.plist")
      let one = try open(path)
      try one.set("old", for: name)
      try one.set("x", for: SettingsKey("other", default: ""))
      try files.remove(directory.appending("small.journal-1"))
      let new = try open(path)
      try new.set("new", for: name)
      one.app.handleDirectoryChangeNow()
      try new.transaction { _ in }
      for store in [one, new] {
        #expect(store[name] == "new")
        #expect(store[SettingsKey("other", default: "")] == "x")
      }
    }
  }

  @Test(
    "P5: Changes of others in new files remain when a process opens the files later",
    arguments: [false, true])
  func laterReopening(isSaved: Bool) throws {
    try withTemporaryDirectory(isInMemory: true) { directory in
      let path = directory.appending("small.plist")
      let (one, other) = try (open(path), open(path))
      try one.set("old", for: name)
      try other.transaction { _ in }
      try files.remove(directory.appending("small.journal-1"))
      one.app.handleDirectoryChangeNow()
      try one.set("new", for: name)
      if isSaved { try one.save() }
      other.app.handleDirectoryChangeNow()
      try other.set("x", for: SettingsKey("other", default: ""))
      try one.transaction { _ in }
      for store in [one, other] {
        #expect(store[name] == "new")
        #expect(store[SettingsKey("other", default: "")] == "x")
      }
    }
  }

  @Test(
    "P5: Changes of a process that had not read that a journal ended come into a directory that was restored"
  )
  func restoredAfterCheckpoint() throws {
    let disk = SimulatedDisk()
    func open() throws -> SettingsStore {
      try SettingsStore(file: "/app/small.plist", fileSystem: disk, isAutomatic: false)
    }
    let other = SettingsKey("other", default: "")
    let (one, two) = try (open(), open())
    try one.set("1", for: name)
    try one.save()
    try two.app.synchronizeNow()
    let backup = disk.files
    try one.set("2", for: name)
    try one.save()
    try disk.rename("/app", to: "/old")
    for (path, bytes) in backup { try disk.write(bytes, to: path) }
    try two.set("here", for: other)
    let three = try open()
    #expect(three[other] == "here")
    #expect(three[name] == two[name])
  }

  @Test("P4: A property list of other files, put in the place of an open one, counts as an edit")
  func laterPropertyList() throws {
    let disk = SimulatedDisk()
    func open(_ path: FilePath) throws -> SettingsStore {
      try SettingsStore(file: path, fileSystem: disk, isAutomatic: false)
    }
    let other = try open("/other/small.plist")
    for round in 0..<5 {
      try other.set("\(round)", for: name)
      try other.save()
    }
    let store = try open("/app/small.plist")
    try store.set("here", for: name)
    try store.save()
    try disk.replaceFile(at: "/app/small.plist", with: disk.files["/other/small.plist"]!)
    store.app.handleDirectoryChangeNow()
    #expect(store[name] == "4")
    try store.set("later", for: SettingsKey("other", default: ""))
    let restarted = try SettingsStore(
      file: "/app/small.plist", fileSystem: disk.restarted(), isAutomatic: false)
    #expect(restarted[name] == "4" && restarted[SettingsKey("other", default: "")] == "later")
  }

  @Test("P4: What was edited in a directory before it is put in the place of an open one counts")
  func editedDirectory() throws {
    let disk = SimulatedDisk()
    func open() throws -> SettingsStore {
      try SettingsStore(file: "/app/small.plist", fileSystem: disk, isAutomatic: false)
    }
    let store = try open()
    try store.set("1", for: name)
    try store.set("1", for: SettingsKey("other", default: ""))
    try store.save()
    let text = String(decoding: disk.files["/app/small.plist"]!, as: UTF8.self)
    let files = disk.files
    try disk.rename("/app", to: "/old")
    for (path, bytes) in files { try disk.write(bytes, to: path) }
    let edited = text.replacing(
      "<string>1</string>", with: "<string>2</string>", maxReplacements: 1)
    try disk.write(Array(edited.utf8), to: "/app/small.plist")
    let known = try PropertyList.Value(parsing: Array(edited.utf8))
    store.app.handleDirectoryChangeNow()
    try store.save()
    #expect(try PropertyList.Value(parsing: disk.files["/app/small.plist"]!) == known)
  }

  @Test("A checkpoint removes no journal of a directory that was put in place meanwhile")
  func journalsOfOthers() throws {
    let disk = SimulatedDisk()
    let replacing = ReplacingDisk(base: disk)
    let store = try SettingsStore(
      file: "/app/small.plist", fileSystem: replacing, isAutomatic: false)
    try store.set("1", for: name)
    try store.save()
    let backup = disk.files
    try store.set("2", for: name)
    replacing.replace.withLock {
      $0 = {
        try? disk.rename("/app", to: "/old")
        for (path, bytes) in backup { try? disk.write(bytes, to: path) }
      }
    }
    try store.save()
    #expect(backup.keys.allSatisfy { disk.files[$0] != nil })
  }
}

/// Replaces a directory once it was flushed.
private final class ReplacingDisk: ForwardingFileSystem {
  let base: SimulatedDisk
  let replace = Mutex<(@Sendable () -> Void)?>(nil)

  init(base: SimulatedDisk) { self.base = base }

  func synchronizeDirectory(_ path: FilePath) throws(FileError) {
    try base.synchronizeDirectory(path)
    guard base.files["/app/small.plist"] != nil else { return }
    let replace = replace.withLock { replace in
      defer { replace = nil }
      return replace
    }
    replace?()
  }
}
