import Testing

@testable import KeepsakeSync

@Suite("What a store knows of a namespace")
struct ReplicaTests {
  private let limits = SyncLimits(writes: 2, length: 10)
  private let origin = SyncOrigin(id: "here")

  private func key(_ name: String) -> [UInt8] { Array(name.utf8) }

  private func snapshot(
    _ revision: UInt64, cluster: String = "one", _ values: [String: (String, UInt64)] = [:]
  ) -> SyncSnapshot {
    let items = values.map { name, value in
      (SyncKey.value(key(name)), SyncItem(value: key(value.0), revision: value.1))
    }
    return SyncSnapshot(
      cluster: cluster, revision: revision, items: Dictionary(uniqueKeysWithValues: items))
  }

  private func replica() -> Replica {
    var replica = Replica(origin: origin)
    _ = replica.take(snapshot(1))
    return replica
  }

  @Test("Of a key that was changed again and again, only the last change is sent")
  func lastChange() throws {
    var replica = replica()
    for number in 0..<1_000 { replica.set(key("\(number)"), for: key("a")) }
    #expect(replica.waitingCount == 1 && replica.nextCommit(limits: limits) == nil)
    replica.becameDurable(replica.outbox)
    let commit = try #require(replica.nextCommit(limits: limits))
    #expect(commit.writes[.value(key("a"))] == .some(key("999")))
    #expect(commit.writes[.origin(origin)] == .some(key("1000")))
    #expect(commit.conditions == [.origin(origin): 0])
  }

  @Test("A change that is not on disk yet is not sent; what the disk has in its place is")
  func notDurable() throws {
    var replica = replica()
    replica.set([1], for: key("a"))
    replica.becameDurable(replica.outbox)
    replica.set([2], for: key("b"))
    replica.set([3], for: key("a"))
    let commit = try #require(replica.nextCommit(limits: limits))
    #expect(commit.writes == [.value(key("a")): [1], .origin(origin): key("1")])
  }

  @Test("Changes are sent in order, as many at once as the engine takes")
  func batches() throws {
    var replica = replica()
    var sent: [[String]] = []
    for name in ["a", "b", "c", "a long key", "d"] { replica.set([1], for: key(name)) }
    replica.becameDurable(replica.outbox)
    while let commit = replica.nextCommit(limits: limits) {
      let names = commit.writes.keys.compactMap { key in
        if case .value(let bytes) = key { String(decoding: bytes, as: UTF8.self) } else { nil }
      }
      sent.append(names.sorted())
      replica.take(.committed(revision: UInt64(sent.count) + 1), of: commit)
    }
    #expect(sent == [["a", "b"], ["c"], ["a long key"], ["d"]])
    #expect(replica.waitingCount == 0 && !replica.outbox.isEmpty)
  }

  @Test("A commit whose answer was lost is refused the second time, and is not made a third time")
  func lostAnswer() throws {
    var replica = replica()
    replica.set([1], for: key("a"))
    replica.becameDurable(replica.outbox)
    let commit = try #require(replica.nextCommit(limits: limits))
    let record = SyncItem(value: key("1"), revision: 7)
    replica.take(.refused(current: [.origin(origin): record]), of: commit)
    #expect(replica.nextCommit(limits: limits) == nil)
    replica.set([2], for: key("a"))
    replica.becameDurable(replica.outbox)
    let next = try #require(replica.nextCommit(limits: limits))
    #expect(next.conditions == [.origin(origin): 7])
  }

  @Test("A change that the engine has taken is seen until what came after it is seen")
  func noFlicker() throws {
    var replica = replica()
    replica.set(key("mine"), for: key("a"))
    replica.becameDurable(replica.outbox)
    let commit = try #require(replica.nextCommit(limits: limits))
    replica.take(.committed(revision: 3), of: commit)
    let before = SyncChange(revision: 2, writes: [.value(key("a")): key("theirs")])
    #expect(replica.take(before).isEmpty && replica[key("a")] == key("mine"))
    #expect(replica.take(SyncChange(revision: 3, writes: commit.writes)).isEmpty)
    #expect(replica.outbox.isEmpty && replica[key("a")] == key("mine"))
    let after = SyncChange(revision: 4, writes: [.value(key("a")): nil])
    #expect(replica.take(after) == [key("a")] && replica[key("a")] == nil)
  }

  @Test("A commit that comes again changes nothing")
  func repeated() {
    var replica = replica()
    let first = SyncChange(revision: 2, writes: [.value(key("a")): [1]])
    #expect(replica.take(first) == [key("a")])
    #expect(replica.take(SyncChange(revision: 3, writes: [.value(key("a")): [2]])) == [key("a")])
    #expect(replica.take(first).isEmpty && replica[key("a")] == [2] && replica.revision == 3)
  }

  @Test("What was removed while a store was away is removed there, and does not come back")
  func removedMeanwhile() {
    var replica = Replica(origin: origin)
    _ = replica.take(snapshot(5, ["a": ("1", 4), "b": ("2", 5)]))
    let news = replica.take(snapshot(90, ["b": ("2", 5), "c": ("3", 80)]))
    #expect(news.changed == [key("a"), key("c")] && news.lost.isEmpty)
    #expect(replica.values == [key("b"): key("2"), key("c"): key("3")])
    #expect(replica.nextCommit(limits: limits) == nil)
  }

  @Test("What an engine has lost is reported, whose revision went back or whose cluster is another")
  func lostValues() {
    for restored in [snapshot(6, ["a": ("1", 4)]), snapshot(900, cluster: "two", ["a": ("1", 4)])] {
      var replica = Replica(origin: origin)
      _ = replica.take(snapshot(9, ["a": ("1", 4), "b": ("2", 8), "c": ("3", 9)]))
      replica.set(key("mine"), for: key("c"))
      let news = replica.take(restored)
      #expect(news.lost == [key("b"): key("2"), key("c"): key("3")])
      #expect(replica.values == [key("a"): key("1"), key("c"): key("mine")])
    }
  }
}
