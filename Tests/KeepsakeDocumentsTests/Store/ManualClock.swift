import KeepsakeBase

/// A clock that goes as a test says.
final class ManualClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var offset = Duration.zero
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
  }

  private struct State {
    var now = Instant()
    var sleepers: [(until: Instant, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  var now: Instant { state.withLock { $0.now } }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if deadline <= state.now { return true }
        state.sleepers.append((deadline, continuation))
        return false
      }
      if isOver { continuation.resume() }
    }
  }

  /// Lets time pass, once so many sleep.
  func advance(by duration: Duration, sleepers count: Int = 1) async {
    await until { self.state.withLock { $0.sleepers.count >= count } }
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.until <= state.now }
      state.sleepers.removeAll { $0.until <= state.now }
      return due
    }
    for sleeper in due { sleeper.continuation.resume() }
  }
}

/// Waits until something is so.
func until(_ isSo: () async -> Bool) async {
  // Not by yielding: tasks that do nothing else leave no thread to the queues of stores.
  while await !isSo() { try? await Task.sleep(for: .milliseconds(1)) }
}
