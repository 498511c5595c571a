import Dispatch

/// Reports problems that no caller receives as an error to a handler: in order, one at a time, and
/// on a thread that holds no lock, so that the handler may call the object that reports them.
package final class ProblemReporter<Problem: Sendable>: Sendable {
  private let handler: @Sendable (Problem) -> Void
  private let queue = DispatchQueue(label: "keepsake.problems")

  package init(_ handler: @escaping @Sendable (Problem) -> Void) {
    self.handler = handler
    queue.setSpecific(key: ProblemReports.isReporting, value: true)
  }

  /// Calls the handler asynchronously; the caller may hold any lock.
  package func report(_ problem: Problem) {
    ProblemReports.prepareForExit()
    queue.async(group: ProblemReports.pending) { [handler] in handler(problem) }
  }
}

/// The problems of all reporters in this process.
package enum ProblemReports {
  fileprivate static let pending = DispatchGroup()
  fileprivate static let isReporting = DispatchSpecificKey<Bool>()
  private static let exitHook: Void = AtExit.run {}

  /// Makes the process wait for its handlers when it exits.
  fileprivate static func prepareForExit() { exitHook }

  /// Waits until the handlers have received every problem that was reported so far.
  ///
  /// Returns at once if called by a handler, which would wait for itself.
  ///
  /// - Parameter seconds: The maximum time to wait; a handler may block.
  package static func wait(atMost seconds: Double = 1) {
    if DispatchQueue.getSpecific(key: isReporting) == true { return }
    _ = pending.wait(timeout: .now() + seconds)
  }
}
