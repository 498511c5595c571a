import KeepsakeBase
import Testing

@Suite("Tasks that wait for a change", .timeLimit(.minutes(1))) struct WaitersTests {
  /// What changes.
  private final class Version: Sendable {
    private let number = Atomic<Int>(0)
    let waiters = Waiters()

    var value: Int { number.load(ordering: .sequentiallyConsistent) }

    func advance() {
      number.add(1, ordering: .sequentiallyConsistent)
      waiters.resumeAll()
    }
  }

  @Test("do not wait for one that has come already") func already() async {
    await Waiters().wait { true }
  }

  @Test("miss none, however the change and the wait interleave") func race() async {
    let version = Version()
    let rounds = 20_000
    await withTaskGroup { group in
      for _ in 0..<3 {
        group.addTask {
          var seen = 0
          while seen < rounds {
            await version.waiters.wait { [seen] in version.value != seen }
            seen = version.value
          }
        }
      }
      for round in 0..<rounds {
        version.advance()
        if round % 64 == 0 { await Task.yield() }
      }
    }
    #expect(version.value == rounds)
  }

  @Test("end when they are canceled, and the others are resumed") func cancellation() async {
    let version = Version()
    let canceled = Task { await version.waiters.wait { false } }
    let resumed = Task { await version.waiters.wait { version.value != 0 } }
    await Task.yield()
    canceled.cancel()
    await canceled.value
    version.advance()
    await resumed.value
  }
}
