import KeepsakeBase
import Testing

@Suite("Problem reporters", .timeLimit(.minutes(10))) struct ProblemReporterTests {
  @Test("A handler receives every problem in order, one at a time") func order() {
    let received = Mutex<(problems: [Int], isBusy: Bool, overlaps: Int)>(([], false, 0))
    let reporter = ProblemReporter<Int> { problem in
      received.withLock { received in
        received.overlaps += received.isBusy ? 1 : 0
        received.isBusy = true
      }
      received.withLock { received in
        received.problems.append(problem)
        received.isBusy = false
      }
    }
    for problem in 0..<1000 { reporter.report(problem) }
    ProblemReports.wait(atMost: 30)
    let (problems, overlaps) = received.withLock { ($0.problems, $0.overlaps) }
    #expect(problems == Array(0..<1000))
    #expect(overlaps == 0)
  }

  @Test("A handler does not run under the lock of the reporting thread")
  func noLockDuringHandler() {
    let state = Mutex([String]())
    let reporter = ProblemReporter<String> { problem in state.withLock { $0.append(problem) } }
    state.withLock { _ in reporter.report("reported under the lock") }
    ProblemReports.wait(atMost: 30)
    #expect(state.withLock { $0 } == ["reported under the lock"])
  }

  @Test("A blocked handler does not delay another reporter") func blockedHandler() {
    let gate = Mutex(())
    let received = Atomic<Bool>(false)
    let slow = ProblemReporter<Int> { _ in gate.withLock { _ in } }
    let quick = ProblemReporter<Int> { _ in received.store(true, ordering: .releasing) }
    gate.withLock { _ in
      slow.report(1)
      quick.report(1)
      for _ in 0..<30_000 where !received.load(ordering: .acquiring) { usleep(1000) }
      let wasReceived = received.load(ordering: .acquiring)
      #expect(wasReceived)
    }
  }
}
