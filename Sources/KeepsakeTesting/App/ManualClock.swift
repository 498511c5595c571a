import KeepsakeBase

/// A clock whose time passes only when a test advances it, for example for autosaves.
///
/// ```swift
/// var configuration = DocumentConfiguration()
/// configuration.clock = clock
/// ```
public final class ManualClock: Clock, Sendable {
  /// A time of the clock, which begins at zero.
  public struct Instant: InstantProtocol {
    var offset = Duration.zero

    /// Returns the time after a duration.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    /// Returns the duration until another time.
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    /// Whether the first time is before the second.
    public static func < (first: Instant, second: Instant) -> Bool { first.offset < second.offset }
  }

  private struct State {
    var now = Instant()
    var nextID = 0
    var sleepers: [Int: (deadline: Instant, continuation: CheckedContinuation<Bool, Never>)] = [:]
    /// Those that were canceled before they slept.
    var canceled: Set<Int> = []
  }

  private let state = Mutex(State())

  /// Creates a clock.
  public init() {}

  /// The present time.
  public var now: Instant { state.withLock { $0.now } }
  /// Zero.
  public var minimumResolution: Duration { .zero }

  /// Waits until the clock has been advanced to a time.
  ///
  /// - Throws: `CancellationError` if the task is canceled.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    let isDue = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDue = state.withLock { state -> Bool? in
          if state.canceled.remove(id) != nil { return false }
          if deadline <= state.now { return true }
          state.sleepers[id] = (deadline, continuation)
          return nil
        }
        if let isDue { continuation.resume(returning: isDue) }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        let sleeper = state.sleepers.removeValue(forKey: id)
        if sleeper == nil { state.canceled.insert(id) }
        return sleeper
      }
      sleeper?.continuation.resume(returning: false)
    }
    state.withLock { _ = $0.canceled.remove(id) }
    if !isDue { throw CancellationError() }
  }

  /// Lets time pass, and wakes the tasks whose time has come.
  ///
  /// - Parameters:
  ///   - duration: How much time passes.
  ///   - count: The number of tasks that must be waiting for this clock first, because what a test
  ///     started may not wait yet. If they are fewer after ten seconds, time passes nevertheless.
  public func advance(by duration: Duration, sleepers count: Int = 1) async {
    let limit = ContinuousClock.now + .seconds(10)
    while state.withLock({ $0.sleepers.count < count }), .now < limit {
      // Not by yielding: tasks that do nothing else leave no thread to the queues of stores.
      try? await Task.sleep(for: .milliseconds(1))
    }
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due
    }
    for sleeper in due.values { sleeper.continuation.resume(returning: true) }
  }
}
