import Testing

@testable import KeepsakeSync

@Suite("What is asked of an engine next")
struct SynchronizerTests {
  private let limits = SyncLimits(writes: 10, length: 1000)

  private func synchronizer() -> Synchronizer {
    Synchronizer(Replica(origin: SyncOrigin(id: "here")), limits: limits)
  }

  private func empty(_ revision: UInt64 = 1) -> SyncSnapshot {
    SyncSnapshot(cluster: "one", revision: revision, items: [:])
  }

  @Test("It reads, then follows from there on, and is then current")
  func beginning() {
    var synchronizer = synchronizer()
    synchronizer.set([1], for: [1])
    synchronizer.becameDurable(synchronizer.replica.outbox)
    #expect(synchronizer.status == .offline(waiting: 1))
    #expect(synchronizer.steps() == [.read(id: 1)])
    #expect(synchronizer.steps().isEmpty)
    synchronizer.take(empty(), id: 1)
    let steps = synchronizer.steps()
    #expect(steps.first == .follow(id: 2, after: 1) && steps.count == 2)
    // Other namespaces of the cluster have got ahead.
    #expect(synchronizer.opened(cluster: "one", revision: 9, lastCommit: 1, id: 2).isEmpty)
    #expect(synchronizer.status == .catchingUp(waiting: 1))
    synchronizer.take(.committed(revision: 2), id: 3)
    #expect(synchronizer.status == .current)
  }

  @Test("It reads again where an engine is another, is behind, or has forgotten")
  func readingAgain() {
    for (cluster, revision) in [("two", UInt64(90)), ("one", 6)] {
      var synchronizer = following()
      _ = synchronizer.failed(id: 2)
      #expect(synchronizer.steps() == [.follow(id: 3, after: 7)])
      let steps = synchronizer.opened(
        cluster: cluster, revision: revision, lastCommit: revision, id: 3)
      #expect(steps == [.cancel(id: 3), .read(id: 4)])
    }
    var synchronizer = following()
    #expect(synchronizer.failed(id: 2, isCompacted: true) == [.read(id: 3)])
  }

  @Test("Answers of a connection that has ended change nothing")
  func lateAnswers() {
    var synchronizer = following()
    _ = synchronizer.failed(id: 2)
    synchronizer.take(SyncChange(revision: 8, writes: [.value([1]): [1]]), id: 2)
    synchronizer.take(empty(100), id: 1)
    synchronizer.take(.committed(revision: 100), id: 9)
    #expect(synchronizer.replica.revision == 7 && synchronizer.replica.values.isEmpty)
  }

  private func following() -> Synchronizer {
    var synchronizer = synchronizer()
    _ = synchronizer.steps()
    synchronizer.take(empty(7), id: 1)
    _ = synchronizer.steps()
    _ = synchronizer.opened(cluster: "one", revision: 7, lastCommit: 7, id: 2)
    return synchronizer
  }
}
