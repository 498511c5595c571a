/// Keeps a replica in agreement with an engine: decides what is to be asked next, and takes the answers.
///
/// It has neither clock nor sockets. Who drives it performs its steps, tells it of answers, failures and time
/// without answers, and keeps its replica on disk. Any answer may be lost, late or come twice.
package struct Synchronizer: Sendable {
  private enum Connection {
    case none
    case reading(id: UInt64)
    /// Until the first message says where the engine is.
    case opening(id: UInt64)
    /// The last commit of the namespace was of a revision when this began.
    case following(id: UInt64, from: UInt64)
  }

  package private(set) var replica: Replica
  /// The keys whose values have changed since they were last taken.
  private var changed: Set<[UInt8]> = []
  private var lost: [[UInt8]: [UInt8]] = [:]
  private let limits: SyncLimits
  private var connection = Connection.none
  private var commit: (id: UInt64, commit: SyncCommit)?
  private(set) var lastID: UInt64 = 0

  package init(_ replica: Replica, limits: SyncLimits) {
    self.replica = replica
    self.limits = limits
  }

  package var status: SyncStatus {
    let waiting = replica.waitingCount
    return switch connection {
    case .none: .offline(waiting: waiting)
    case .following(_, let start) where waiting == 0 && replica.revision >= start: .current
    default: .catchingUp(waiting: waiting)
    }
  }

  /// Changes a value here; nil removes it.
  package mutating func set(_ value: [UInt8]?, for key: [UInt8]) { replica.set(value, for: key) }

  /// Learns that the outbox is on disk as it once was: only then is it sent.
  package mutating func becameDurable(_ outbox: Outbox) { replica.becameDurable(outbox) }

  /// What is to be done now, if anything: after each call of another method, and after a while without answers.
  package mutating func steps() -> [SyncStep] {
    var steps: [SyncStep] = []
    if case .none = connection {
      let id = newID()
      if replica.cluster == nil {
        connection = .reading(id: id)
        steps.append(.read(id: id))
      } else {
        connection = .opening(id: id)
        steps.append(.follow(id: id, after: replica.revision))
      }
    }
    // Before the first snapshot it is not known what the engine has of an origin.
    if commit == nil, replica.cluster != nil, let next = replica.nextCommit(limits: limits) {
      let id = newID()
      commit = (id, next)
      steps.append(.commit(id: id, next))
    }
    return steps
  }

  /// Takes the answer to a request to read.
  package mutating func take(_ snapshot: SyncSnapshot, id: UInt64) {
    guard case .reading(id) = connection else { return }
    connection = .none
    let news = replica.take(snapshot)
    changed.formUnion(news.changed)
    lost.merge(news.lost) { _, new in new }
  }

  /// Takes the answer to a commit.
  package mutating func take(_ result: SyncCommit.Result, id: UInt64) {
    guard let commit, commit.id == id else { return }
    self.commit = nil
    replica.take(result, of: commit.commit)
  }

  /// Takes the first message of a connection: which cluster it is, its revision, and that of the namespace's last
  /// commit, which is lower where other namespaces have their own.
  ///
  /// - Returns: What is to be done, if the connection cannot be used.
  package mutating func opened(
    cluster: String, revision: UInt64, lastCommit: UInt64, id: UInt64
  ) -> [SyncStep] {
    guard case .opening(id) = connection else { return [] }
    if cluster == replica.cluster, revision >= replica.revision {
      connection = .following(id: id, from: lastCommit)
      return []
    }
    return [.cancel(id: id)] + readAgain()
  }

  /// Takes a commit of the namespace.
  package mutating func take(_ change: SyncChange, id: UInt64) {
    guard case .following(id, _) = connection else { return }
    changed.formUnion(replica.take(change))
  }

  /// Learns that a request failed, or that its answer will not come: whether it was performed is not known.
  ///
  /// - Parameter isCompacted: Whether the engine no longer has the commits that were asked for.
  package mutating func failed(id: UInt64, isCompacted: Bool = false) -> [SyncStep] {
    if commit?.id == id {
      commit = nil
      return []
    }
    switch connection {
    case .reading(id), .opening(id), .following(id, _):
      connection = .none
      return isCompacted ? readAgain() : []
    default: return []
    }
  }

  /// The keys whose values are different since the last call, and values that nothing else keeps any more.
  package mutating func takeNews() -> (changed: Set<[UInt8]>, lost: [[UInt8]: [UInt8]]) {
    defer { (changed, lost) = ([], [:]) }
    return (changed, lost)
  }

  private mutating func readAgain() -> [SyncStep] {
    let id = newID()
    connection = .reading(id: id)
    return [.read(id: id)]
  }

  private mutating func newID() -> UInt64 {
    lastID += 1
    return lastID
  }
}
