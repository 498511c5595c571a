import KeepsakeBase

/// Asks an engine, and waits for an answer twice as long as for the last one, and longer each time that none came: where
/// a network is slow, much takes long; where a node is gone, another one answers soon.
final class SyncRequests: Sendable {
  private let engine: any SyncEngine
  private let timing: SyncTiming
  private let last = Mutex(Last())

  /// How long the last answer took, or was waited for in vain.
  private struct Last {
    var reading = Duration.zero
    var commit = Duration.zero
  }

  init(_ engine: any SyncEngine, timing: SyncTiming) {
    self.engine = engine
    self.timing = timing
  }

  func read() async throws(SyncError) -> SyncSnapshot {
    // It is as much as all machines have together.
    try await answer(within: timing.answer, upTo: timing.patience * 10, after: \.reading) {
      engine throws(SyncError) in try await engine.read()
    }
  }

  func perform(_ commit: SyncCommit) async throws(SyncError) -> SyncCommit.Result {
    try await answer(within: timing.resend, upTo: timing.patience, after: \.commit) {
      engine throws(SyncError) in try await engine.perform(commit)
    }
  }

  /// - Parameters:
  ///   - least: How long is waited at least.
  ///   - most: How long is waited at most, where the last answer took long.
  ///   - kind: Which request it is.
  private func answer<Answer: Sendable>(
    within least: Duration, upTo most: Duration,
    after kind: any WritableKeyPath<Last, Duration> & Sendable,
    to ask: @escaping @Sendable (any SyncEngine) async throws(SyncError) -> Answer
  ) async throws(SyncError) -> Answer {
    let limit = max(least, min(last.withLock { $0[keyPath: kind] } * 2, most))
    let start = ContinuousClock.now
    do throws(SyncError) {
      let answer = try await engine.answer(within: limit, to: ask)
      last.withLock { $0[keyPath: kind] = .now - start }
      return answer
    } catch {
      if .now - start >= limit { last.withLock { $0[keyPath: kind] = limit } }
      throw error
    }
  }
}
