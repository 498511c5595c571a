import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@testable import KeepsakeSettings

@Suite("Settings that other machines share, where files replace others")
final class ReplacedSharedFilesTests: SharingHarness {
  private func files(of disk: SimulatedDisk) throws -> [String: [UInt8]] {
    let directory = path.removingLastComponent()
    var files: [String: [UInt8]] = [:]
    for name in try disk.contents(ofDirectory: directory)
    where name.contains("journal") || name.hasSuffix("plist") {
      files[name] = try disk.readFile(at: directory.appending(name))
    }
    return files
  }

  /// A store that has joined others, and another one that has a copy of its files.
  private func storeAndCopy(
    _ disk: SimulatedDisk, _ elsewhere: SimulatedDisk
  ) throws -> (SettingsStore, SettingsStore) {
    let store = try open(disk)
    try receive([:], revision: 1, into: store)
    try store.save()
    for (name, bytes) in try files(of: disk) {
      try elsewhere.write(bytes, to: path.removingLastComponent().appending(name))
    }
    return (store, try open(elsewhere))
  }

  /// Puts files in the place of those that a store has open.
  private func replaceFiles(
    of store: SettingsStore, by backup: [String: [UInt8]], on disk: SimulatedDisk
  ) throws {
    let directory = path.removingLastComponent()
    for name in try files(of: disk).keys { try disk.remove(directory.appending(name)) }
    for (name, bytes) in backup {
      try disk.replaceFile(at: directory.appending(name), with: bytes)
    }
    store.app.handleDirectoryChangeNow()
  }

  @Test(
    "That a change has replaced one of an earlier origin is known until the others are past that")
  func replacing() throws {
    let disk = SimulatedDisk()
    var stores = [try open(disk)]
    try receive([:], revision: 1, into: stores[0])
    try stores[0].set(1, for: one)
    let old = try #require(stores[0].syncLog?.changes.values.first)
    try stores[0].set(2, for: one)
    #expect(stores[0].syncLog?.replaced == [:])
    stores.append(try open(disk))
    try stores[1].set(3, for: one)
    try stores[0].set(4, for: one)
    try stores[1].synchronizeAndWait()
    let log = try #require(stores[0].syncLog)
    #expect(stores[1].syncLog == log && changed(stores[0]) == ["one"])
    #expect(Set(log.replaced.keys) == [old.origin])
    let number = try #require(log.replaced[old.origin])
    #expect(number > old.number)
    try stores[1].save()
    let later = try open(disk)
    #expect(later.syncLog?.replaced == log.replaced)
    try receive([:], revision: 5, shown: [old.origin: old.number], into: later)
    #expect(later.syncLog?.replaced == log.replaced)
    try receive([:], revision: 6, shown: [old.origin: number], into: later)
    #expect(later.syncLog?.replaced == [:] && changed(later) == ["one"])
  }

  @Test("An offered value replaces no change where files replace others, and is kept")
  func replacingFiles() throws {
    let (disk, elsewhere) = (SimulatedDisk(), SimulatedDisk())
    let changed = try open(elsewhere)
    try changed.set(2, for: one)
    try changed.save()
    let files = try #require(try elsewhere.readFile(at: path))
    let store = try open(disk)
    try store.set(1, for: one)
    try update(store) {
      $0.log = SyncLog(origin: "joined")
      $0.offers = [SettingsName("one")]
    }
    let directory = path.removingLastComponent()
    for name in try disk.contents(ofDirectory: directory) where name.contains("journal") {
      try disk.remove(directory.appending(name))
    }
    try disk.replaceFile(at: path, with: files)
    store.app.handleDirectoryChangeNow()
    try store.set(4, for: two)
    #expect(store[one] == 2)
    #expect(store.syncLog?.changes[SettingsName("one")]?.isOffer == false)
    #expect(try store.preservedValues().map(\.value) == [.integer(1)])
  }

  @Test("An offer replaces no change where files replace others")
  func replacingLog() {
    let (one, two) = (SettingsName("one"), SettingsName("two"))
    func change(_ origin: String, isOffer: Bool) -> SyncLog.Change {
      let number = SyncLog.Number(generation: 1, offset: 7)
      return SyncLog.Change(origin: origin, number: number, isOffer: isOffer)
    }
    let known = SyncLog(
      cluster: "all", origin: "a",
      changes: [one: change("a", isOffer: true), two: change("a", isOffer: true)])
    let found = SyncLog(cluster: "all", origin: "b", changes: [one: change("b", isOffer: false)])
    let log = found.replacing(known, origin: "c")
    #expect(log.changes == [one: change("b", isOffer: false), two: change("a", isOffer: true)])
    #expect(log.replaced.keys.map(\.self) == ["a"])
    #expect(log.earlierOrigins == ["b", "a"])
  }

  @Test("Before anything came from others, nothing is noted that may be under way to them")
  func replacedBeforeJoining() throws {
    let disk = SimulatedDisk()
    for value in 0..<3 {
      try withExtendedLifetime(open(disk)) { store in
        try store.set(value, for: one)
        try store.save()
      }
    }
    let log = try #require(try open(disk).syncLog)
    #expect(log.replaced.isEmpty && log.earlierOrigins.count <= 1 && log.changes.count == 1)
    #expect(log.usedOrigins.count == 1)
  }

  @Test("A change replaces what is only offered by files that are put in place, and stays a change")
  func offerInOtherFiles() throws {
    let (disk, elsewhere) = (SimulatedDisk(), SimulatedDisk())
    let (store, copy) = try storeAndCopy(disk, elsewhere)
    try copy.set(7, for: one)
    try update(copy) { $0.offers = [SettingsName("one")] }
    try store.set(2, for: one)
    try withExtendedLifetime(copy) {
      try replaceFiles(of: store, by: files(of: elsewhere), on: disk)
    }
    try store.set(4, for: two)
    #expect(store[one] == 2 && store.syncLog?.changes[SettingsName("one")]?.isOffer == false)
  }

  @Test("What counts in files that replace others is sent after what it replaces")
  func sentAfterReplaced() throws {
    let (disk, elsewhere) = (SimulatedDisk(), SimulatedDisk())
    let (store, copy) = try storeAndCopy(disk, elsewhere)
    try copy.set(7, for: one)
    try store.set(2, for: one)
    let mine = try #require(store.syncLog?.changes[SettingsName("one")])
    // In its journal; once it is closed, a property list has it.
    try withExtendedLifetime(copy) {
      try replaceFiles(of: store, by: files(of: elsewhere), on: disk)
    }
    try store.set(4, for: two)
    let log = try #require(store.syncLog)
    #expect(store[one] == 7 && log.changes[SettingsName("one")]?.origin == log.origin)
    #expect(log.replaced[mine.origin] == mine.number && log.earlierOrigins.last == mine.origin)
  }

  @Test("Files that replace others keep what was changed there, and are compared with the engine")
  func replacingNewerLog() {
    let name = SettingsName("one")
    func log(_ origin: String, revision: UInt64) -> SyncLog {
      let number = SyncLog.Number(generation: 1, offset: 7)
      return SyncLog(
        cluster: "a", revision: revision, origin: origin,
        changes: [name: SyncLog.Change(origin: origin, number: number)])
    }
    let log = log("new", revision: 9).replacing(
      log("old", revision: 4), origin: "later", keeping: [name])
    #expect(log.changes[name]?.origin == "new" && log.replaced.keys.map(\.self) == ["old"])
    #expect(log.doubt == .damaged)
  }

  @Test("A log that replaces another one has what another process has just changed")
  func logReplacedMeanwhile() throws {
    let disk = SimulatedDisk()
    let (store, other) = (try open(disk), try open(disk))
    var attempts = 0
    try store.receive { values in
      attempts += 1
      if attempts == 1 { try? other.set(1, for: one) }
      var received = SettingsStore.ReceivedValues()
      received.update.log = SyncLog(origin: "new", changes: values.log?.changes ?? [:])
      return received
    }
    #expect(attempts == 2 && changed(store) == ["one"] && store.syncLog?.origin == "new")
  }

  @Test("Files that were removed or replaced while they were open have the log again")
  func replacedFiles() throws {
    let disk = SimulatedDisk()
    let store = try open(disk)
    try store.set(1, for: one)
    try receive(["two": 2], revision: 4, into: store)
    try store.save()
    let old = try #require(try disk.readFile(at: path))
    try store.set(3, for: one)
    try receive(["two": 5], revision: 7, into: store)
    let before = try #require(store.syncLog)
    for name in try disk.contents(ofDirectory: path.removingLastComponent())
    where name.contains("journal") || name.hasSuffix("plist") {
      try disk.remove(path.removingLastComponent().appending(name))
    }
    store.app.handleDirectoryChangeNow()
    try store.set(4, for: SettingsKey("three", default: 0))
    let after = try #require(store.syncLog)
    #expect(after.revision == 7 && after.cluster == before.cluster && after.origin != before.origin)
    #expect(after.changes[SettingsName("one")] == before.changes[SettingsName("one")])
    #expect(changed(store) == ["one", "three"] && store[two] == 5)
    // An older copy has less; what came since comes again.
    try disk.replaceFile(at: path, with: old)
    let reopened = try open(disk, isShared: false)
    #expect(reopened.syncLog?.changes.isEmpty == false)
  }

  @Test("Where older files are put in place while they are open, no number is used twice")
  func olderFiles() throws {
    let disk = SimulatedDisk()
    let store = try open(disk)
    try store.set(1, for: one)
    try store.save()
    let backup = try files(of: disk)
    for value in [2, 3] {
      try store.set(value, for: one)
      try store.save()
    }
    let before = try #require(store.syncLog)
    try replaceFiles(of: store, by: backup, on: disk)
    try store.set(4, for: two)
    let after = try #require(store.syncLog)
    #expect(after.origin != before.origin)
    #expect(after.changes[SettingsName("two")]?.origin == after.origin)
    // What the others do not have is not taken back, either.
    #expect(after.changes[SettingsName("one")] == before.changes[SettingsName("one")])
    #expect(store[one] == 3)
  }

  @Test("In a backup's directory, a process whose journal has ended uses no number twice")
  func olderDirectory() throws {
    let disk = SimulatedDisk()
    let (store, other) = (try open(disk), try open(disk))
    try other.set(1, for: one)
    let backup = disk.files
    try other.set(2, for: one)
    try other.save()
    let directory = path.removingLastComponent()
    try disk.rename(directory, to: "/old")
    try disk.createDirectory(directory)
    for (path, bytes) in backup { try disk.write(bytes, to: path) }
    try store.set(3, for: two)
    let change = try #require(store.syncLog?.changes[SettingsName("two")])
    #expect(change.origin != other.syncLog?.origin)
  }

  @Test("Older files, put in place while they are open, take back no change")
  func olderJournal() throws {
    let disk = SimulatedDisk()
    let store = try open(disk)
    try receive([:], revision: 1, into: store)
    try store.set(1, for: one)
    let log = try #require(store.syncLog)
    let number = try #require(log.changes[SettingsName("one")]?.number)
    try receive([:], revision: 2, shown: [log.origin: number], into: store)
    let backup = try files(of: disk)
    try store.set(2, for: one)
    let waiting = try #require(store.syncLog?.changes[SettingsName("one")])
    try replaceFiles(of: store, by: backup, on: disk)
    try store.set(4, for: two)
    #expect(store[one] == 2 && store.syncLog?.changes[SettingsName("one")] == waiting)
  }

  @Test("What others have replaces no change that files put in place have, and others lack")
  func changeInOtherFiles() throws {
    let (disk, elsewhere) = (SimulatedDisk(), SimulatedDisk())
    let (store, copy) = try storeAndCopy(disk, elsewhere)
    try copy.set(7, for: one)
    try copy.save()
    try receive(["one": 5], revision: 2, into: store)
    try replaceFiles(of: store, by: files(of: elsewhere), on: disk)
    try store.set(4, for: two)
    #expect(store[one] == 7 && changed(store).contains("one"))
  }

  @Test("An edit in files that are put in place is known at once to be one")
  func editInOtherFiles() throws {
    let disk = SimulatedDisk()
    let store = try open(disk)
    try receive(["one": 1], revision: 1, into: store)
    try store.save()
    var backup = try files(of: disk)
    let name = try #require(path.lastComponent?.string)
    let text = try String(decoding: #require(backup[name]), as: UTF8.self)
    backup[name] = Array(text.replacing("<integer>1</integer>", with: "<integer>9</integer>").utf8)
    #expect(backup[name] != Array(text.utf8))
    try replaceFiles(of: store, by: backup, on: disk)
    #expect(store[one] == 9 && store.syncLog?.doubt == .edited)
  }

  @Test(
    "Where files of before anything was shared are put in place, all is read again",
    arguments: [true, false])
  func filesBeforeSharing(isShared: Bool) throws {
    let disk = SimulatedDisk()
    let store = try open(disk, isShared: isShared)
    try store.set(1, for: one)
    try store.save()
    let backup = try files(of: disk)
    if !isShared { try store.shareValues() }
    try receive(["two": 2], revision: 4, into: store)
    try store.save()
    try store.set(3, for: one)
    try replaceFiles(of: store, by: backup, on: disk)
    try store.set(4, for: SettingsKey("three", default: 0))
    let log = try #require(store.syncLog)
    // What only they have is neither removed nor replaced without a copy.
    #expect(log.cluster == "cluster" && log.doubt == .both)
    #expect(store[one] == 3 && changed(store).isSuperset(of: ["one", "three"]))
  }

  @Test("Where the end of a journal is missing before another one, the log says so")
  func missingEnd() throws {
    let disk = SimulatedDisk()
    let store = try open(disk)
    let journal = path.removingLastComponent().appending("small.journal-1")
    try receive(["one": 1], revision: 1, into: store)
    let short = try #require(try disk.readFile(at: journal))
    try receive(["two": 2], revision: 2, into: store)
    try store.save()
    try receive(["three": 3], revision: 3, into: store)
    try disk.remove(path)
    try disk.replaceFile(at: journal, with: short)
    let reopened = try open(disk)
    #expect(reopened.syncLog?.revision == 3 && reopened[two] == 0)
    #expect(reopened.syncLog?.doubt == .damaged)
  }

  @Test("Where the property list is missing, but not the journal after it, the log says so")
  func missingPropertyList() throws {
    let (disk, elsewhere) = (SimulatedDisk(), SimulatedDisk())
    let store = try open(disk)
    try receive(["one": 1], revision: 1, into: store)
    try store.save()
    try receive(["two": 2], revision: 2, into: store)
    for (name, bytes) in try files(of: disk) where name.contains("journal") {
      try elsewhere.write(bytes, to: path.removingLastComponent().appending(name))
    }
    let reopened = try open(elsewhere)
    #expect(reopened.syncLog?.revision == 2 && reopened[one] == 0 && reopened[two] == 2)
    #expect(reopened.syncLog?.doubt == .damaged)
  }

  @Test(
    "An older property list that is put in place changes nothing of what others have changed since",
    arguments: [false, true])
  func olderPropertyList(isEdited: Bool) throws {
    let disk = SimulatedDisk()
    let store = try open(disk)
    try receive(["one": 1], revision: 4, into: store)
    try store.save()
    let backup = String(decoding: try #require(try disk.readFile(at: path)), as: UTF8.self)
    for revision in 5..<25 {
      try receive(["one": 2, "two": Int64(revision)], revision: UInt64(revision), into: store)
      try store.save()
    }
    try store.set(3, for: one)
    let change = store.syncLog?.changes[SettingsName("one")]
    let text = isEdited ? backup.replacing("<integer>1<", with: "<integer>9<") : backup
    try disk.replaceFile(at: path, with: Array(text.utf8))
    store.app.handleDirectoryChangeNow()
    let log = try #require(store.syncLog)
    #expect(store[one] == (isEdited ? 9 : 1) && store[two] == 0)
    #expect(log.revision == 4 && log.doubt == (isEdited ? .edited : .both))
    // What was to be sent is sent as another change.
    #expect(changed(store) == ["one"] && log.changes[SettingsName("one")] != change)
  }

  @Test(
    "After an older property list, a less old one changes nothing of that either",
    arguments: [false, true])
  func olderPropertyLists(isSavedBetween: Bool) throws {
    let disk = SimulatedDisk()
    let store = try open(disk)
    var backups: [UInt64: [UInt8]] = [:]
    for revision in 4..<30 as Range<UInt64> {
      try receive(["one": Int64(revision)], revision: revision, into: store)
      try store.save()
      backups[revision] = try disk.readFile(at: path)
    }
    for revision in [4, 15] as [UInt64] {
      try disk.replaceFile(at: path, with: #require(backups[revision]))
      store.app.handleDirectoryChangeNow()
      #expect(store[one] == Int(revision))
      if isSavedBetween { try store.save() }
    }
    let log = try #require(store.syncLog)
    #expect(log.revision == 4 && log.doubt == .both && changed(store).isEmpty)
  }

  @Test("What follows a journal that is missing counts only where the others have nothing")
  func missingOrigin() throws {
    let disk = SimulatedDisk()
    let backup: [UInt8]
    do {
      let store = try open(disk)
      try receive(["one": 1], revision: 4, into: store)
      try store.save()
      backup = try #require(try disk.readFile(at: path))
    }
    // Begins another origin, whose beginning is in a journal that is removed.
    var store = try open(disk)
    try store.save()
    try store.set(7, for: one)
    let sent = try #require(shown(in: store))
    try update(store) { ($0.revision, $0.shown) = (5, sent) }
    #expect(changed(store).isEmpty)
    let killed = disk.restarted()
    withExtendedLifetime(store) {}
    try killed.replaceFile(at: path, with: backup)
    store = try open(killed)
    try store.set(2, for: two)
    let log = try #require(store.syncLog)
    #expect(store[one] == 7 && log.doubt == .both)
    #expect(
      log.changes.mapValues(\.isOffer) == [SettingsName("one"): true, SettingsName("two"): false])
    try store.save()
    #expect(try open(killed.restarted()).syncLog?.changes[SettingsName("one")]?.isOffer == true)
  }

  @Test("Where a process goes on after a journal that is missing, its further changes are changes")
  func missingOriginWhileOpen() throws {
    let disk = SimulatedDisk()
    let store = try open(disk)
    try receive(["one": 1], revision: 4, into: store)
    try store.save()
    let backup = try #require(try disk.readFile(at: path))
    // Another one saves twice, which this one has not noticed.
    let other = try open(disk)
    for value in [7, 8] {
      try other.set(value, for: one)
      try other.save()
    }
    try other.set(9, for: one)
    try disk.replaceFile(at: path, with: backup)
    try store.set(2, for: two)
    withExtendedLifetime(other) {}
    let log = try #require(store.syncLog)
    #expect(store[one] == 9 && log.doubt == .both)
    #expect(
      log.changes.mapValues(\.isOffer) == [SettingsName("one"): true, SettingsName("two"): false])
  }

  /// The last changes of a store, by their origins.
  private func shown(in store: SettingsStore) -> [String: SyncLog.Number]? {
    store.syncLog.map { log in
      Dictionary(log.changes.values.map { ($0.origin, $0.number) }, uniquingKeysWith: max)
    }
  }

  @Test(
    "What another process changes while files are put in place comes into these",
    arguments: [false, true], [false, true])
  func changeWhileReplacing(isShared: Bool, isRemoved: Bool) throws {
    let disk = SimulatedDisk()
    let hooked = HookedDisk(base: disk)
    let (store, other) = try (open(hooked, isShared: isShared), open(disk, isShared: isShared))
    func setAll(_ value: Int64, _ revision: UInt64) throws {
      if isShared {
        try receive(["one": value], revision: revision, into: store)
      } else {
        try store.set(Int(value), for: one)
      }
      try other.transaction { _ in }
    }
    try setAll(2, 3)
    if !isRemoved { try store.save() }
    let backup = isRemoved ? [:] : try files(of: disk)
    try setAll(1, 4)
    // Then the other one sets what the files that are put in place have.
    if !isRemoved, isShared { try store.save() }
    try other.transaction { _ in }
    hooked.beforeOpening.withLock { [one] in $0 = { try? other.set(2, for: one) } }
    try replaceFiles(of: store, by: backup, on: disk)
    other.app.handleDirectoryChangeNow()
    for store in [store, other] {
      #expect(store[one] == 2)
      if isShared { #expect(changed(store) == ["one"]) }
    }
  }

  @Test(
    "An older property list that was edited lacks something if what follows brings more",
    arguments: [false, true])
  func olderEditedPropertyList(bringsMore: Bool) throws {
    let (disk, elsewhere) = (SimulatedDisk(), SimulatedDisk())
    let store = try open(disk)
    try receive(["one": 1], revision: 4, into: store)
    try store.save()
    let text = String(decoding: try #require(try disk.readFile(at: path)), as: UTF8.self)
    for revision in [5, 6] as [UInt64] {
      try receive(["two": Int64(revision)], revision: revision, into: store)
      try store.save()
    }
    if bringsMore { try receive(["three": 3], revision: 7, into: store) }
    var files = try files(of: disk)
    let name = try #require(path.lastComponent?.string)
    files[name] = Array(text.replacing("<integer>1<", with: "<integer>9<").utf8)
    for (name, bytes) in files {
      try elsewhere.write(bytes, to: path.removingLastComponent().appending(name))
    }
    let reopened = try open(elsewhere)
    #expect(reopened[one] == 9 && reopened.syncLog?.revision == (bringsMore ? 7 : 4))
    #expect(reopened.syncLog?.doubt == (bringsMore ? .both : .edited))
  }

  @Test(
    "Where shared settings and such that never met the others replace each other, no change of the latter counts",
    arguments: [false, true])
  func filesBeforeJoining(isBackupShared: Bool) throws {
    let disk = SimulatedDisk()
    func join(_ store: SettingsStore) throws {
      try receive(["one": 1, "two": 2], revision: 4, into: store)
      try store.save()
    }
    func begin(_ store: SettingsStore) throws {
      try store.set(9, for: one)
      try store.set(8, for: SettingsKey("three", default: 0))
      try store.save()
    }
    func clear() throws {
      let directory = path.removingLastComponent()
      for name in try files(of: disk).keys { try disk.remove(directory.appending(name)) }
    }
    let backup: [String: [UInt8]]
    do {
      let store = try open(disk)
      if isBackupShared { try join(store) } else { try begin(store) }
      backup = try files(of: disk)
    }
    try clear()
    let store = try open(disk)
    if isBackupShared { try begin(store) } else { try join(store) }
    try replaceFiles(of: store, by: backup, on: disk)
    let log = try #require(store.syncLog)
    #expect(log.cluster == "cluster" && log.changes.values.allSatisfy(\.isOffer))
    if isBackupShared {
      #expect(store[one] == 1 && store[two] == 2 && changed(store) == ["three"])
      #expect(try store.preservedValues().contains { $0.value == .integer(9) })
    }
  }
}

/// Calls a closure once, before a journal is opened.
private final class HookedDisk: ForwardingFileSystem {
  let base: SimulatedDisk
  let beforeOpening = Mutex<(@Sendable () -> Void)?>(nil)

  init(base: SimulatedDisk) { self.base = base }

  func open(_ path: FilePath, _ mode: FileOpenMode) throws(FileError) -> any OpenFile {
    if path.string.contains("journal") {
      let body = beforeOpening.withLock { body in
        defer { body = nil }
        return body
      }
      body?()
    }
    return try base.open(path, mode)
  }
}
