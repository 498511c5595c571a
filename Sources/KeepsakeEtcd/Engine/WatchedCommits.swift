#if Etcd
import KeepsakeSync

/// Puts the events that a watch brings together to the commits that they come from.
///
/// Each commit of a namespace puts its head: so one that etcd has left out is noticed. etcd before 3.4.31 and 3.5.13
/// does that, silently, where a watch that is slow waits while what it has yet to be sent is compacted
/// (<https://github.com/etcd-io/etcd/issues/17529>).
struct WatchedCommits {
  private let namespace: EtcdNamespace
  /// The head when the connection began: one of before may have been corrected since.
  private let start: KeyValue?
  /// Those of the last commit may go on in the next message.
  private var events: [WatchResponse.Event] = []
  /// The revision of the last commit.
  private var last: UInt64
  /// How often the head had been put then, since it was last removed; nil if that is not known.
  private var version: UInt64?

  /// - Parameters:
  ///   - revision: After which commits count.
  ///   - head: What the namespace's head was when the connection began.
  init(of namespace: EtcdNamespace, after revision: UInt64, head: KeyValue?) {
    self.namespace = namespace
    start = head
    last = revision
    if head?.mod_revision?.value ?? 0 <= revision { version = head?.version?.value ?? 0 }
  }

  /// Takes the events of a message.
  ///
  /// - Returns: The commits that are complete, in order: those that come again are left out.
  /// - Throws: `compacted` if one is missing.
  mutating func take(_ result: WatchResponse) throws(SyncError) -> [SyncChange] {
    events += result.events ?? []
    let count = completeCount(isFragment: result.fragment ?? false)
    var changes: [SyncChange] = []
    for event in events[..<count] {
      guard let revision = try event.kv.mod_revision?.revision else {
        throw .unreachable("An event of etcd has no revision.")
      }
      // The events of one commit have one revision, and come one after the other.
      if revision != changes.last?.revision {
        if revision <= last {
          if revision == last, version == nil, event.kv.key == namespace.head {
            version = event.type == "DELETE" ? 0 : event.kv.version?.value
          }
          continue
        }
        changes.append(SyncChange(revision: revision, writes: [:]))
      }
      if event.kv.key == namespace.head { try takeHead(event, at: revision) }
      guard let key = namespace[event.kv.key] else { continue }
      changes[changes.count - 1].writes.updateValue(
        event.type == "DELETE" ? nil : event.kv.value?.bytes ?? [], forKey: key)
    }
    last = changes.last?.revision ?? last
    events.removeFirst(count)
    return changes
  }

  private mutating func takeHead(
    _ event: WatchResponse.Event, at revision: UInt64
  ) throws(SyncError) {
    if event.type == "DELETE" {
      version = 0
      return
    }
    if revision > start?.mod_revision?.value ?? 0 { try namespace.checkFormat(of: event.kv) }
    guard let found = event.kv.version?.value else { return }
    if let version, found != version &+ 1 { throw .compacted }
    version = found
  }

  /// How many of the first events are those of complete commits.
  private func completeCount(isFragment: Bool) -> Int {
    guard isFragment, let last = events.last?.kv.mod_revision else { return events.count }
    return (events.lastIndex { $0.kv.mod_revision != last } ?? -1) + 1
  }
}
#endif
