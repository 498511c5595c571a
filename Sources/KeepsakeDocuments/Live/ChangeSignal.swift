import KeepsakeBase

/// A number that grows, and the tasks that wait until it has.
final class ChangeSignal: Sendable {
  private let number = Atomic<UInt64>(1)
  private let waiters = Waiters()

  var version: UInt64 { number.load(ordering: .sequentiallyConsistent) }

  /// Resumes the tasks that wait; called with no lock held.
  func advance() {
    number.add(1, ordering: .sequentiallyConsistent)
    waiters.resumeAll()
  }

  /// Waits until the version is another than the one given, or the task is canceled.
  func wait(past seen: UInt64) async {
    await waiters.wait { version != seen }
  }
}
