import Dispatch

/// Tells of problems one after the other, on a thread that holds no lock: whoever hears of one may use
/// the store.
package enum ProblemReports {
  private static let queue = DispatchQueue(label: "keepsake.documents.problems")

  static func tell(
    _ problem: DocumentError, to listener: @escaping @Sendable (DocumentError) -> Void
  ) {
    queue.async { listener(problem) }
  }

  /// Waits until all that was to be told is, or a listener takes longer than that.
  package static func wait(atMost seconds: Double = 1) {
    let isTold = DispatchSemaphore(value: 0)
    queue.async { isTold.signal() }
    _ = isTold.wait(timeout: .now() + seconds)
  }
}
