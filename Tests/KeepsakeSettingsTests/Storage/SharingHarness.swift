import KeepsakeCoding
import KeepsakeFiles
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@testable import KeepsakeSettings

/// Settings on a simulated disk, and what is received of other machines.
class SharingHarness {
  let path: FilePath = "/app/Preferences/small.plist"
  let one = SettingsKey("one", default: 0)
  let two = SettingsKey("two", default: 0)

  func open(_ disk: any FileSystem, isShared: Bool = true) throws -> SettingsStore {
    let store = try SettingsStore(file: path, fileSystem: disk, isAutomatic: false) { _ in }
    if isShared { try store.shareValues() }
    return store
  }

  func receive(
    _ values: [String: Int64?], revision: UInt64, shown: [String: SyncLog.Number] = [:],
    preserves: Bool = false, into store: SettingsStore
  ) throws {
    try store.receive { _ in
      var received = SettingsStore.ReceivedValues()
      received.update.cluster = "cluster"
      received.update.revision = revision
      received.update.shown = shown
      received.preserves = preserves
      for (name, value) in values {
        received.values.updateValue(
          value.map { .integer($0) }, forKey: SettingsName(name))
      }
      return received
    }
  }

  func changed(_ store: SettingsStore) -> Set<String> {
    Set((store.syncLog?.changes ?? [:]).keys.map(\.string))
  }

  /// Has a store take an update without values.
  func update(
    _ store: SettingsStore, _ change: (inout SyncLog.Update) -> Void
  ) throws {
    try store.receive { _ in
      var received = SettingsStore.ReceivedValues()
      change(&received.update)
      return received
    }
  }

  func number(_ generation: UInt64) -> SyncLog.Number {
    SyncLog.Number(generation: generation, offset: 7)
  }
}
