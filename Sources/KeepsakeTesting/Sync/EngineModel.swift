package import KeepsakeSync

/// An engine as it promises to be: commits one after the other, and all of them remembered.
package struct EngineModel: Sendable {
  package private(set) var cluster: String
  package private(set) var revision: UInt64 = 0
  package private(set) var items: [SyncKey: SyncItem] = [:]
  package private(set) var changes: [SyncChange] = []
  /// The changes with their blobs, which nobody is told.
  private var commits: [SyncChange] = []
  /// What commits removed that was not there, by their revisions.
  private var removedInVain: [UInt64: Set<SyncKey>] = [:]
  /// The revision up to which commits can no longer be followed.
  package var compacted: UInt64 = 0

  package init(cluster: String) {
    self.cluster = cluster
  }

  package var snapshot: SyncSnapshot {
    SyncSnapshot(
      cluster: cluster, revision: revision, items: items.filter { !$0.key.isBlob })
  }

  package var values: [[UInt8]: [UInt8]] {
    var values: [[UInt8]: [UInt8]] = [:]
    for case (.value(let key), let item) in items { values[key] = item.value }
    return values
  }

  /// What a backup of a revision has.
  package func backup(of revision: UInt64) -> EngineModel {
    var backup = EngineModel(cluster: cluster)
    for commit in commits where commit.revision <= revision {
      backup.write(commit)
    }
    backup.revision = revision
    backup.compacted = min(compacted, revision)
    return backup
  }

  /// Takes the name of another cluster, and goes on from a later revision.
  package mutating func become(_ cluster: String, at revision: UInt64) {
    (self.cluster, self.revision) = (cluster, revision)
  }

  /// A commit as an engine reports it that leaves out removals of what was not there.
  package func shortened(_ change: SyncChange) -> SyncChange {
    let inVain = removedInVain[change.revision] ?? []
    return SyncChange(
      revision: change.revision, writes: change.writes.filter { !inVain.contains($0.key) })
  }

  package func refuses(_ commit: SyncCommit) -> Bool {
    commit.conditions.contains { items[$0]?.revision ?? 0 != $1 }
  }

  package mutating func perform(_ commit: SyncCommit) -> SyncCommit.Result {
    if refuses(commit) {
      return .refused(current: items.filter { commit.conditions[$0.key] != nil })
    }
    revision += 1
    write(SyncChange(revision: revision, writes: commit.writes))
    return .committed(revision: revision)
  }

  private mutating func write(_ commit: SyncChange) {
    removedInVain[commit.revision] = Set(
      commit.writes.filter { $0.value == nil && items[$0.key] == nil }.keys)
    for (key, value) in commit.writes {
      items[key] = value.map { SyncItem(value: $0, revision: commit.revision) }
    }
    commits.append(commit)
    changes.append(
      SyncChange(revision: commit.revision, writes: commit.writes.filter { !$0.key.isBlob }))
  }
}

extension SyncKey {
  package var isBlob: Bool { if case .blob = self { true } else { false } }
}
