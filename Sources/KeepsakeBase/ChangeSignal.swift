/// A version number that each change increments, and the tasks that wait for the next change.
package final class ChangeSignal: Sendable {
  private let number = Atomic<UInt64>(1)
  package let waiters = Waiters()

  package init() {}

  /// The number of the last change; never 0.
  package var version: UInt64 { number.load(ordering: .sequentiallyConsistent) }

  /// Counts a change while the caller holds a lock.
  ///
  /// After releasing the lock, the caller must call `waiters.resumeAll()`.
  package func increment() { number.add(1, ordering: .sequentiallyConsistent) }

  /// Counts a change and resumes the waiting tasks; the caller must not hold a lock.
  package func advance() {
    increment()
    waiters.resumeAll()
  }
}
