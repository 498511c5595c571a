import KeepsakeBase
import Testing

@Suite("Waiters", .timeLimit(.minutes(10))) struct WaitersTests {
  /// A value that changes.
  private final class Version: Sendable {
    private let number = Atomic<Int>(0)
    let waiters = Waiters()

    var value: Int { number.load(ordering: .sequentiallyConsistent) }

    func advance() {
      number.add(1, ordering: .sequentiallyConsistent)
      waiters.resumeAll()
    }
  }

  @Test("A wait returns at once if the change has already happened") func earlierChange() async {
    await Waiters().wait { true }
  }

  @Test("No change is missed, in any order of the change and the wait") func race() async {
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

  @Test("Canceling one wait ends it, and the others are still resumed") func cancellation() async {
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
