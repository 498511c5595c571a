import KeepsakeBase

/// Asks an engine, and waits for an answer twice as long as for the last one, and longer each time that none came: where
/// a network is slow, much takes long; where a node is gone, another one answers soon.
final class SyncRequests: Sendable {
  let engine: any SyncEngine
  let timing: SyncTiming
  private let last = Mutex(Last())

  /// How long the last answer took, or was waited for in vain.
  struct Last {
    var reading = Duration.zero
    var commit = Duration.zero
    /// A commit that has, or is to bring, much: those that are short say nothing about it.
    var transfer = Duration.zero
    /// The next message of a connection.
    var message = Duration.zero
    /// Where the engine is, while a connection is not open yet.
    var opening = Duration.zero
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

  /// Where the engine is now.
  ///
  /// - Parameter isOpening: Whether a connection is not open yet, so that it may take long each time.
  func position(isOpening: Bool = false) async throws(SyncError) -> SyncPosition {
    try await answer(
      within: timing.answer, upTo: isOpening ? timing.answer * 3 : .zero, after: \.opening
    ) { engine throws(SyncError) in try await engine.position() }
  }

  /// What some keys have at one moment.
  func current(of keys: some Collection<SyncKey>) async throws(SyncError) -> [SyncKey: SyncItem] {
    if case .refused(let current) = try await perform(SyncCommit(reading: keys)) { return current }
    return [:]
  }

  /// - Parameter answerLength: How many bytes its answer is expected to have.
  func perform(
    _ commit: SyncCommit, answerLength: Int = 0
  ) async throws(SyncError) -> SyncCommit.Result {
    // With about as much for each key.
    let length = commit.writes.values.reduce(answerLength) { $0 + 64 + ($1?.count ?? 0) }
    let limit = timing.resend + timing.transfer * length
    let isLong = length >= 32 << 10
    let result = try await answer(
      within: limit, upTo: isLong ? max(timing.patience, limit * 8) : timing.patience,
      after: isLong ? \.transfer : \.commit
    ) { engine throws(SyncError) in try await engine.perform(commit) }
    if case .committed = result, commit.conditions.values.contains(SyncCommit.never) {
      throw .rejected("The engine made a commit whose conditions are not met.")
    }
    return result
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
    let limit = self.limit(atLeast: least, atMost: most, kind)
    let start = ContinuousClock.now
    do throws(SyncError) {
      let answer = try await engine.answer(within: limit, to: ask)
      note(.now - start, kind)
      return answer
    } catch {
      if .now - start >= limit { note(limit, kind) }
      throw error
    }
  }

  func limit(
    atLeast least: Duration, atMost most: Duration,
    _ kind: any WritableKeyPath<Last, Duration> & Sendable
  ) -> Duration {
    max(least, min(last.withLock { $0[keyPath: kind] } * 2, most))
  }

  func note(_ time: Duration, _ kind: any WritableKeyPath<Last, Duration> & Sendable) {
    last.withLock { $0[keyPath: kind] = time }
  }
}
