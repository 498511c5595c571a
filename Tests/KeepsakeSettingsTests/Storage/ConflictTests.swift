import KeepsakeBase
import KeepsakeFiles
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@testable import KeepsakeSettings

@Suite("Changes of other processes, and failed flushes")
struct ConflictTests {
  private let one = SettingsKey("one", default: 0)
  private let two = SettingsKey("two", default: 0)

  private func open(_ disk: SimulatedDisk) throws -> SettingsStore {
    try SettingsStore(file: "/app/small.plist", fileSystem: disk, isAutomatic: false)
  }

  @Test("P5: A transaction runs again if a setting that it only read was changed meanwhile")
  func changedAfterReading() throws {
    let disk = SimulatedDisk()
    let (store, other) = try (open(disk), open(disk))
    try store.set(1, for: one)
    var runs = 0
    try store.transaction { settings in
      runs += 1
      let read = settings[one]
      if runs == 1 { try other.set(5, for: one) }
      settings[two] = read
    }
    #expect(runs == 2)
    try other.transaction { _ in }
    for store in try [store, other, open(disk.restarted())] {
      #expect(store[one] == 5 && store[two] == 5)
    }
  }

  @Test("P4: if the journal cannot be read after a set, the error says that the change was written")
  func unreadableAfterWriting() throws {
    let disk = SimulatedDisk()
    let (store, other) = try (open(disk), open(disk))
    try other.set(1, for: two)
    disk.failAlways(.read)
    let error = #expect(throws: SettingsError.self) { try store.set(1, for: one) }
    #expect(error?.code == .notWritten)
    #expect(error?.description.contains("it was written, and takes effect") == true)
    #expect(error?.description.contains("nothing was changed") == false)
    disk.stopFailing()
    try store.transaction { _ in }
    #expect(store[one] == 1 && store[two] == 1)
  }

  @Test("P6: A plain read after a transaction returns what the transaction read")
  func readAfterTransaction() throws {
    let disk = SimulatedDisk()
    let (store, other) = try (open(disk), open(disk))
    #expect(store[one] == 0)
    try other.set(5, for: one)
    // As another thread does that has not notified observers yet.
    try store.app.writer.withLock { writer in
      var names: [SettingsName] = []
      try store.app.catchUp(&writer, &names)
    }
    #expect(try store.transaction { settings in settings[one] } == 5)
    #expect(store[one] == 5)
  }

  @Test("P6: A watch that fires after own changes reads what another process wrote since")
  func readByWatch() throws {
    let disk = SimulatedDisk()
    let (store, other) = try (open(disk), open(disk))
    for number in 1...20 {
      for value in 0..<number { try store.set(value, for: two) }
      try other.set(number, for: one)
      #expect(store.app.handleExternalChanges())
      #expect(store[one] == number)
      #expect(!store.app.handleExternalChanges())
    }
  }

  @Test("P2: A synchronization flushes what another process wrote to the next journal")
  func writtenByOther() async throws {
    let disk = SimulatedDisk()
    let (store, other) = try (open(disk), open(disk))
    try other.set(1, for: one)
    try other.save()
    try other.set(2, for: one)
    try await store.synchronize()
    for state in await disk.statesAfterPowerCut() { #expect(try open(state)[one] == 2) }
  }

  @Test("P2: What a disk failed to flush is written again before a synchronization succeeds")
  func failedFlush() async throws {
    let disk = SimulatedDisk()
    let store = try open(disk)
    try store.set(1, for: one)
    try await store.synchronize()
    try store.set(2, for: one)
    disk.failAlways(.synchronize)
    await #expect(throws: SettingsError.self) { try await store.synchronize() }
    disk.stopFailing()
    // The disk has lost the bytes, and no longer reports an error.
    try await store.synchronize()
    for state in await disk.statesAfterPowerCut() { #expect(try open(state)[one] == 2) }
  }
}
