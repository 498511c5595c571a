import KeepsakeSync
import Testing

@testable import KeepsakeEtcd

@Suite("The commits that a watch of etcd brings")
struct WatchedCommitsTests {
  private let namespace = EtcdNamespace("a")
  private let key = SyncKey.value([1])

  private func event(
    _ key: Base64Bytes, at revision: UInt64, version: UInt64, _ value: [UInt8]
  ) -> WatchResponse.Event {
    WatchResponse.Event(
      kv: KeyValue(
        key: key, mod_revision: DecimalText(revision), version: DecimalText(version),
        value: Base64Bytes(value)))
  }

  private func head(at revision: UInt64, version: UInt64) -> WatchResponse.Event {
    event(namespace.head, at: revision, version: version, EtcdNamespace.format)
  }

  /// A message with commits, of which each has a revision and says how often the head was put.
  private func message(_ commits: (revision: UInt64, version: UInt64)...) -> WatchResponse {
    WatchResponse(
      events: commits.flatMap {
        [
          head(at: $0.revision, version: $0.version),
          event(namespace[key], at: $0.revision, version: 1, [UInt8($0.revision)]),
        ]
      })
  }

  private func change(_ revision: UInt64) -> SyncChange {
    SyncChange(revision: revision, writes: [key: [UInt8(revision)]])
  }

  /// What follows where the head was last put, for the third time, at a revision.
  private func following(_ head: UInt64, after revision: UInt64) -> WatchedCommits {
    WatchedCommits(of: namespace, after: revision, head: self.head(at: head, version: 3).kv)
  }

  @Test("come once, in order, also if etcd sends some again")
  func repeated() throws {
    var commits = WatchedCommits(of: namespace, after: 4, head: nil)
    #expect(try commits.take(message((5, 1), (7, 2))) == [change(5), change(7)])
    #expect(try commits.take(message((4, 1), (5, 1), (7, 2))) == [])
    #expect(try commits.take(message((7, 2), (8, 3))) == [change(8)])
  }

  @Test("are put together where they come in parts")
  func parts() throws {
    let other = SyncKey.value([2])
    var commits = WatchedCommits(of: namespace, after: 4, head: nil)
    var first = message((5, 1), (6, 2))
    first.fragment = true
    #expect(try commits.take(first) == [change(5)])
    let rest = WatchResponse(events: [event(namespace[other], at: 6, version: 1, [0])])
    #expect(
      try commits.take(rest) == [SyncChange(revision: 6, writes: [key: [6], other: [0]])])
  }

  @Test("are known to be incomplete if one is missing, the first or a later one")
  func missing() throws {
    var commits = following(5, after: 6)
    #expect(try commits.take(message((7, 4))) == [change(7)])
    #expect(throws: SyncError.compacted) { try commits.take(message((9, 6))) }
    commits = following(5, after: 6)
    #expect(throws: SyncError.compacted) { try commits.take(message((9, 5))) }
    // The watch begins with what is known.
    commits = following(9, after: 5)
    #expect(throws: SyncError.compacted) { try commits.take(message((5, 1), (9, 3))) }
    // It is not known what was before.
    commits = following(9, after: 5)
    #expect(try commits.take(message((9, 3))) == [change(9)])
    #expect(throws: SyncError.compacted) { try commits.take(message((12, 5))) }
  }

  @Test("go on after all of a namespace was removed")
  func removed() throws {
    var commits = following(5, after: 6)
    let removal = WatchResponse.Event(
      type: "DELETE", kv: KeyValue(key: namespace.head, mod_revision: DecimalText(7)))
    #expect(
      try commits.take(WatchResponse(events: [removal])) == [SyncChange(revision: 7, writes: [:])])
    #expect(try commits.take(message((8, 1), (9, 2))) == [change(8), change(9)])
  }
}
