import KeepsakeBase

/// Asks an engine, and waits for an answer twice as long as for the last one, and longer each time that none came: where
/// a network is slow, much takes long; where a node is gone, another one answers soon.
final class SyncRequests: Sendable {
  private let engine: any SyncEngine
  private let timing: SyncTiming
  /// How long the last answer took, or was waited for in vain.
  private let last = Mutex(Duration.zero)

  init(_ engine: any SyncEngine, timing: SyncTiming) {
    self.engine = engine
    self.timing = timing
  }

  func read() async throws(SyncError) -> SyncSnapshot {
    try await answer(within: timing.answer) { engine throws(SyncError) in
      try await engine.read()
    }
  }

  func perform(_ commit: SyncCommit) async throws(SyncError) -> SyncCommit.Result {
    try await answer(within: timing.resend) { engine throws(SyncError) in
      try await engine.perform(commit)
    }
  }

  /// - Parameter least: How long is waited at least.
  private func answer<Answer: Sendable>(
    within least: Duration,
    to ask: @escaping @Sendable (any SyncEngine) async throws(SyncError) -> Answer
  ) async throws(SyncError) -> Answer {
    let limit = max(least, min(last.withLock { $0 } * 2, timing.patience))
    let start = ContinuousClock.now
    do throws(SyncError) {
      let answer = try await engine.answer(within: limit, to: ask)
      last.withLock { $0 = .now - start }
      return answer
    } catch {
      if .now - start >= limit { last.withLock { $0 = limit } }
      throw error
    }
  }
}
