import KeepsakeBase
public import KeepsakeSync

/// An engine in memory, for tests of what several machines share.
///
/// It is one namespace: settings, and the documents of each kind, have an engine of their own. Stores in different
/// directories that are opened with the same one are those of different machines.
public actor InMemoryEngine: SyncEngine {
  /// How much one commit may contain: as much as etcd takes.
  public nonisolated let limits: SyncLimits
  package private(set) var model = EngineModel(cluster: "one")
  private var random = SeededRandom(seed: 1)
  private var isReachable = true
  /// How often it became unreachable.
  private var outages = 0
  /// Of a hundred requests, how many fail before, fail after, or are never answered.
  private var faults = 0
  /// How long each request that reads or changes values takes.
  private var delay = Duration.zero
  /// How long each change takes to come through a connection.
  private var transferTime = Duration.zero
  /// Whether connections are open and bring nothing.
  private var isSilent = false
  /// Whether the answer to the next commit that changes something is lost, and its disk is full since.
  private var willFill = false
  private var isFull = false
  /// Whether the answer to the next commit that changes something is lost, after those who follow have seen it.
  private var willLoseAnswer = false
  package private(set) var lostAnswers = 0
  /// Whether connections open, and bring an error in place of a commit.
  private var rejectsChanges = false
  /// Whether connections never open.
  private var isMute = false
  /// What is done before the next commit that changes something is held up, and its answer lost.
  private var beforeHolding: SyncCommit?
  private var held: SyncCommit?
  /// What is done before each commit.
  private var beforeCommit: (@Sendable (SyncCommit) async throws(SyncError) -> Void)?
  /// The beginning of names of which it takes no values.
  private var forbidden: String?
  /// How often everything was asked for.
  package private(set) var readings = 0
  /// How many follow it.
  package private(set) var connections = 0
  /// How often a connection was opened.
  package private(set) var openings = 0

  /// Creates an engine that has nothing.
  public init() { limits = SyncLimits(writes: 126, length: 1_250_000) }

  package init(limits: SyncLimits) {
    self.limits = limits
  }

  /// Has each request fail until the engine is reachable again, and ends the connections that are open.
  ///
  /// Stores try again after at most five seconds.
  public func setReachable(_ isNowReachable: Bool) {
    isReachable = isNowReachable
    if !isReachable { outages += 1 }
  }

  package func setFaults(_ percent: Int) { faults = percent }

  package func setDelay(_ duration: Duration) { delay = duration }

  package func setTransferTime(_ duration: Duration) { transferTime = duration }

  package func setSilent(_ isNowSilent: Bool) { isSilent = isNowSilent }

  /// Puts an empty one in its place.
  package func replace() { model = EngineModel(cluster: "two") }

  /// Puts an earlier state of it in its place, as of a backup that was restored.
  package func setBack(to revision: UInt64) { model = model.backup(of: revision) }

  package func fillSoon() { willFill = true }

  package func loseNextAnswer() { willLoseAnswer = true }

  package func setFull(_ isNowFull: Bool) { isFull = isNowFull }

  package func setRejectsChanges(_ rejects: Bool) { rejectsChanges = rejects }

  package func setMute(_ isNowMute: Bool) { isMute = isNowMute }

  package func setBeforeCommit(
    _ body: @escaping @Sendable (SyncCommit) async throws(SyncError) -> Void
  ) {
    beforeCommit = body
  }

  /// Holds up the next commit that changes something, and makes another one first.
  package func holdNext(after commit: SyncCommit) { beforeHolding = commit }

  /// Makes what was held up.
  package func performHeld() -> SyncCommit.Result? {
    defer { held = nil }
    return held.map { model.perform($0) }
  }

  package func setForbidden(_ prefix: String?) { forbidden = prefix }

  /// Makes a commit of another machine, which no fault concerns.
  package func performElsewhere(_ commit: SyncCommit) -> SyncCommit.Result { model.perform(commit) }

  package func compact() { model.compacted = model.revision }

  /// Returns everything.
  public func read() async throws(SyncError) -> SyncSnapshot {
    readings += 1
    try? await Task.sleep(for: delay)
    return try await perform { $0.snapshot }
  }

  /// Makes all writes at once, if the conditions are met.
  public func perform(_ commit: SyncCommit) async throws(SyncError) -> SyncCommit.Result {
    try await beforeCommit?(commit)
    if isFull, !commit.writes.isEmpty { throw .rejected("The disk is full.") }
    if let forbidden {
      for case .value(let key) in commit.writes.keys where key.starts(with: forbidden.utf8) {
        throw .rejected("Permission was denied.")
      }
    }
    try? await Task.sleep(for: delay)
    if let first = beforeHolding, !commit.writes.isEmpty {
      (beforeHolding, held) = (nil, commit)
      _ = model.perform(first)
      throw .unreachable("The request was held up.")
    }
    let result = try await perform { $0.perform(commit) }
    if willFill, !commit.writes.isEmpty {
      isFull = true
      throw .unreachable("The answer was lost.")
    }
    if willLoseAnswer, !commit.writes.isEmpty {
      willLoseAnswer = false
      try? await Task.sleep(for: .milliseconds(100))
      lostAnswers += 1
      throw .unreachable("The answer was lost.")
    }
    return result
  }

  /// Returns where it is.
  public func position() async throws(SyncError) -> SyncPosition {
    try await perform { SyncPosition(cluster: $0.cluster, revision: $0.revision) }
  }

  /// Reports every commit after a revision, until it is not reachable.
  public func follow(
    after revision: UInt64,
    _ receive: @concurrent @Sendable (SyncMessage) async throws(SyncError) -> Void
  ) async throws(SyncError) {
    try? await Task.sleep(for: delay)
    connections += 1
    defer { connections -= 1 }
    while isMute, !Task.isCancelled { try? await Task.sleep(for: .milliseconds(1)) }
    if !isReachable { throw Self.unreachable }
    if revision < model.compacted { throw .compacted }
    let (cluster, current, outages) = (model.cluster, model.revision, outages)
    openings += 1
    try await receive(.opened(SyncPosition(cluster: cluster, revision: current)))
    var sent = revision
    while !Task.isCancelled {
      if self.outages != outages { throw Self.unreachable }
      if isSilent {
        try? await Task.sleep(for: .milliseconds(1))
        continue
      }
      if chance(faults / 4) { throw .unreachable("The connection was cut.") }
      if model.cluster != cluster || model.revision < sent {
        throw .unreachable("The engine is another.")
      }
      if sent < model.compacted { throw .compacted }
      if model.changes.last?.revision ?? 0 > sent,
        let change = model.changes.first(where: { $0.revision > sent })
      {
        sent = change.revision
        if rejectsChanges { throw .rejected("Permission was denied.") }
        if transferTime > .zero { try? await Task.sleep(for: transferTime) }
        if Task.isCancelled { return }
        try await receive(.change(model.shortened(change)))
      } else {
        try? await Task.sleep(for: .milliseconds(1))
      }
    }
  }

  private func perform<Answer>(
    _ body: (inout EngineModel) -> Answer
  ) async throws(SyncError) -> Answer {
    if !isReachable { throw Self.unreachable }
    if chance(faults) { throw .unreachable("The request was lost.") }
    let answer = body(&model)
    if chance(faults) { throw .unreachable("The answer was lost.") }
    if chance(faults / 4) { try? await Task.sleep(for: .seconds(60)) }
    return answer
  }

  private static let unreachable = SyncError.unreachable("The engine is not reachable.")

  private func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
}
