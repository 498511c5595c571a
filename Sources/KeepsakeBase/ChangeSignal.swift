/// A number that grows with each change of something, and the tasks that wait until it has.
package final class ChangeSignal: Sendable {
  private let number = Atomic<UInt64>(1)
  package let waiters = Waiters()

  package init() {}

  /// The number of the last change; never 0.
  package var version: UInt64 { number.load(ordering: .sequentiallyConsistent) }

  /// Counts a change, for those who hold a lock; `waiters.resumeAll()` is to follow without it.
  package func increment() { number.add(1, ordering: .sequentiallyConsistent) }

  /// Counts a change and resumes the tasks that wait; called with no lock held.
  package func advance() {
    increment()
    waiters.resumeAll()
  }
}
