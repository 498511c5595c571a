@testable import KeepsakeSync

/// An engine as it promises to be: commits one after the other, and all of them remembered.
struct EngineModel {
  private(set) var cluster: String
  private(set) var revision: UInt64 = 0
  private(set) var items: [SyncKey: SyncItem] = [:]
  private(set) var changes: [SyncChange] = []
  /// The revision up to which commits can no longer be followed.
  var compacted: UInt64 = 0

  init(cluster: String) {
    self.cluster = cluster
  }

  var snapshot: SyncSnapshot {
    SyncSnapshot(
      cluster: cluster, revision: revision, items: items.filter { !$0.key.isBlob })
  }

  var values: [[UInt8]: [UInt8]] {
    var values: [[UInt8]: [UInt8]] = [:]
    for case (.value(let key), let item) in items { values[key] = item.value }
    return values
  }

  mutating func perform(_ commit: SyncCommit) -> SyncCommit.Result {
    guard commit.conditions.allSatisfy({ items[$0]?.revision ?? 0 == $1 }) else {
      return .refused(current: items.filter { commit.conditions[$0.key] != nil })
    }
    revision += 1
    for (key, value) in commit.writes {
      items[key] = value.map { SyncItem(value: $0, revision: revision) }
    }
    changes.append(
      SyncChange(revision: revision, writes: commit.writes.filter { !$0.key.isBlob }))
    return .committed(revision: revision)
  }
}

extension SyncKey {
  var isBlob: Bool { if case .blob = self { true } else { false } }
}
