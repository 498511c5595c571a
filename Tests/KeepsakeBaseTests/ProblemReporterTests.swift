import KeepsakeBase
import Testing

@Suite("A problem reporter", .timeLimit(.minutes(1))) struct ProblemReporterTests {
  @Test("hands over every problem in order, one at a time") func order() {
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

  @Test("does not call its handler under the lock of the one that reports") func noLock() {
    let state = Mutex([String]())
    let reporter = ProblemReporter<String> { problem in state.withLock { $0.append(problem) } }
    state.withLock { _ in reporter.report("reported under the lock") }
    ProblemReports.wait(atMost: 30)
    #expect(state.withLock { $0 } == ["reported under the lock"])
  }

  @Test("is not delayed by the handler of another") func blocked() {
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
