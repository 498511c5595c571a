import KeepsakeSettings
import KeepsakeTestSupport
import KeepsakeTesting

@testable import KeepsakeSync

/// A store in memory, and what is asked of an engine for it, step by step.
class SynchronizerHarness {
  let limits = SyncLimits(writes: 2, length: 10)
  let store = StoreModel(origin: "here")
  let here = SyncKey.origin("here")

  func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// An origin's record.
  func record(_ number: String, day: Int = 20_000) -> [UInt8] { bytes("\(number) \(day)") }

  func key(_ name: String) -> SyncKey { .value(bytes(name)) }

  func snapshot(
    _ revision: UInt64, cluster: String = "one", _ values: [String: (String, UInt64)] = [:]
  ) -> SyncSnapshot {
    let items = values.map { name, value in
      (key(name), SyncItem(value: bytes(value.0), revision: value.1))
    }
    return SyncSnapshot(
      cluster: cluster, revision: revision, items: Dictionary(uniqueKeysWithValues: items))
  }

  /// What follows from revision 7 on, with the request of the number 2.
  func following(_ other: (any SyncStore)? = nil) throws -> Synchronizer {
    let store = other ?? store
    var synchronizer = Synchronizer(limits: limits) { 20_000 }
    _ = try synchronizer.steps(of: store)
    try synchronizer.take(snapshot(7), id: 1, into: store)
    _ = try synchronizer.steps(of: store)
    _ = synchronizer.opened(SyncPosition(cluster: "one", revision: 7), id: 2, for: store)
    return synchronizer
  }

  /// The commit that sends what is in the store.
  func commit(
    of synchronizer: inout Synchronizer
  ) throws -> (id: UInt64, commit: SyncCommit)? {
    for _ in 0..<2 {
      for case .commit(let id, let commit) in try synchronizer.steps(of: store) {
        return (id, commit)
      }
      if synchronizer.needsView { synchronizer.send(store.files.view) }
    }
    return nil
  }

  func set(_ text: String?, for name: String) {
    store.set(text.map(bytes), for: SettingsName(name))
  }

  func value(_ name: String) -> String? {
    store.files.values[SettingsName(name)].map { String(decoding: $0, as: UTF8.self) }
  }
}
