/// What one store knows of a namespace, and what it has changed and not yet sent: values without files or sockets.
///
/// A key has the value of its change in the outbox, or else the engine's. The engine's order decides: a change
/// in the outbox comes after everything that the engine has when it takes the change. A change leaves the outbox
/// when the namespace's own commits show that it was taken, so that what is seen never goes back and forth.
package struct Replica: Sendable {
  /// The cluster that is followed; nil before the first snapshot.
  package private(set) var cluster: String?
  /// The revision up to which the engine's commits are known.
  package private(set) var revision: UInt64 = 0
  package private(set) var items: [SyncKey: SyncItem] = [:]
  package private(set) var outbox: Outbox
  /// The outbox as it is on disk, which alone is sent: a change that a power cut takes back must not have made
  /// the engine believe that it has what came before it.
  private var durableOutbox: Outbox
  /// The numbers of changes that the engine has acknowledged and not yet shown, and the revisions of that.
  private var acknowledged: [SyncOrigin: (through: UInt64, revision: UInt64)] = [:]

  package init(origin: SyncOrigin) {
    outbox = Outbox(origin: origin)
    durableOutbox = outbox
  }

  /// The value of a key; nil if there is none.
  package subscript(key: [UInt8]) -> [UInt8]? {
    if let change = outbox.changes[key] { return change.value }
    return items[.value(key)]?.value
  }

  /// All values, by their keys.
  ///
  /// - Complexity: O(*n*) in the number of values.
  package var values: [[UInt8]: [UInt8]] {
    var values: [[UInt8]: [UInt8]] = [:]
    for case (.value(let key), let item) in items { values[key] = item.value }
    for (key, change) in outbox.changes { values[key] = change.value }
    return values
  }

  /// How many keys have changes that the engine has not acknowledged.
  package var waitingCount: Int {
    outbox.changes.values.count { $0.number > lastAcknowledged($0.origin) }
  }

  /// Makes further changes under another origin, as each opening of a store does: what a power cut took
  /// from the outbox may have reached the engine, and its numbers are not to be used again.
  package mutating func begin(_ origin: SyncOrigin) { outbox.begin(origin) }

  /// Changes a value here; nil removes it.
  package mutating func set(_ value: [UInt8]?, for key: [UInt8]) { outbox.add(value, for: key) }

  /// Learns that the outbox is on disk as it once was, so that a power cut leaves it at least so.
  package mutating func becameDurable(_ outbox: Outbox) {
    durableOutbox = outbox
    for case .origin(let origin) in items.keys { removeShownChanges(of: origin) }
  }

  /// Takes a snapshot in place of what was known.
  ///
  /// - Returns: The keys whose values are different now, and values that the engine once had and has lost, as
  ///   after a backup was restored: they are to be preserved by the caller.
  /// - Complexity: O(*n*) in the number of values.
  package mutating func take(
    _ snapshot: SyncSnapshot
  ) -> (changed: Set<[UInt8]>, lost: [[UInt8]: [UInt8]]) {
    var lost: [[UInt8]: [UInt8]] = [:]
    if cluster != snapshot.cluster || revision > snapshot.revision {
      for case (.value(let key), let item) in items
      where (cluster != snapshot.cluster || item.revision > snapshot.revision)
        && snapshot.items[.value(key)]?.value != item.value
      {
        lost[key] = item.value
      }
      // What was acknowledged there may not be here.
      acknowledged = [:]
    }
    let old = values
    cluster = snapshot.cluster
    revision = snapshot.revision
    items = snapshot.items
    for case .origin(let origin) in snapshot.items.keys { removeShownChanges(of: origin) }
    let new = values
    return (Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }, lost)
  }

  /// Takes the next commit of the namespace; one that is known already changes nothing.
  ///
  /// - Returns: The keys whose values are different now.
  package mutating func take(_ change: SyncChange) -> Set<[UInt8]> {
    guard change.revision > revision else { return [] }
    revision = change.revision
    var old: [[UInt8]: [UInt8]?] = [:]
    for (key, value) in change.writes {
      if case .value(let key) = key, old[key] == nil { old.updateValue(self[key], forKey: key) }
      items[key] = value.map { SyncItem(value: $0, revision: change.revision) }
    }
    for case .origin(let origin) in change.writes.keys {
      for (key, value) in removeShownChanges(of: origin) where old[key] == nil {
        old.updateValue(value, forKey: key)
      }
    }
    return Set(old.filter { self[$0.key] != $0.value }.map(\.key))
  }

  /// The commit that sends the oldest changes that are durable; nil if all are acknowledged.
  package func nextCommit(limits: SyncLimits) -> SyncCommit? {
    let batch = durableOutbox.next(limits: limits, acknowledged: lastAcknowledged)
    guard let origin = batch.first?.change.origin, let through = batch.last?.change.number else {
      return nil
    }
    let record = SyncKey.origin(origin)
    var writes: [SyncKey: [UInt8]?] = [record: Self.record(through)]
    for (key, change) in batch { writes.updateValue(change.value, forKey: .value(key)) }
    let revision = max(items[record]?.revision ?? 0, acknowledged[origin]?.revision ?? 0)
    return SyncCommit(conditions: [record: revision], writes: writes)
  }

  /// Takes the engine's answer to a commit of this store.
  package mutating func take(_ result: SyncCommit.Result, of commit: SyncCommit) {
    for case .origin(let origin) in commit.conditions.keys {
      let record = SyncKey.origin(origin)
      switch result {
      case .committed(let revision):
        acknowledge(origin, Self.number(commit.writes[record] ?? nil), at: revision)
      case .refused(let current):
        acknowledge(origin, Self.number(current[record]?.value), at: current[record]?.revision ?? 0)
      }
    }
  }

  private mutating func acknowledge(_ origin: SyncOrigin, _ through: UInt64, at revision: UInt64) {
    if revision > acknowledged[origin]?.revision ?? 0 {
      acknowledged[origin] = (through, revision)
    }
  }

  private func lastAcknowledged(_ origin: SyncOrigin) -> UInt64 {
    max(acknowledged[origin]?.through ?? 0, Self.number(items[.origin(origin)]?.value))
  }

  /// Removes from the outbox what the namespace shows, and returns what it was.
  @discardableResult
  private mutating func removeShownChanges(of origin: SyncOrigin) -> [[UInt8]: [UInt8]?] {
    let number = Self.number(items[.origin(origin)]?.value)
    _ = durableOutbox.removeChanges(of: origin, through: number)
    return outbox.removeChanges(of: origin, through: number)
  }

  /// The number of an origin's last change, as the namespace has it; zero if there is none.
  private static func number(_ record: [UInt8]?) -> UInt64 {
    record.flatMap { UInt64(String(decoding: $0, as: UTF8.self)) } ?? 0
  }

  private static func record(_ number: UInt64) -> [UInt8] { Array(String(number).utf8) }
}
