import KeepsakeBase

/// The problems that stores reported.
package final class ReportedProblems<Problem: Sendable>: Sendable {
  private let problems = Mutex<[Problem]>([])

  package init() {}

  /// Every problem reported so far.
  package var all: [Problem] {
    ProblemReports.wait()
    return problems.withLock { $0 }
  }

  package func add(_ problem: Problem) { problems.withLock { $0.append(problem) } }
}
