import KeepsakeBase

/// What talks to an engine for one process.
protocol SyncDriving: Sendable {
  var status: SyncStatus { get async }

  /// Whether the engine was found to be the one that the log is about when the connection began.
  var hasMet: Bool { get async }

  /// Begins to follow the engine.
  func start() async

  /// Ends all requests; what waits stays.
  func end() async

  /// Sends what was changed, soon.
  func storeChanged() async

  /// Waits until the engine has everything that was changed so far, and that it takes.
  ///
  /// - Parameter waits: Whether this waits as long as the engine does not answer.
  /// - Throws: `SyncError` with `rejected` if the engine does not take it, and with `unreachable`;
  ///   `CancellationError`.
  func sent(waits: Bool) async throws
}

/// What several machines share.
protocol SharedContent: Sendable {
  associatedtype Progress: SyncProgress

  /// How far this machine agrees with the engine, as its files say.
  ///
  /// - Parameter limits: Those of the engine.
  func progress(within limits: SyncLimits) async -> Progress

  /// Waits for a second at most until another process has sent everything that was changed so far.
  ///
  /// - Parameter limits: Those of the engine, which need not have what is larger.
  /// - Returns: Whether it has.
  func isSentByAnother(within limits: SyncLimits) async throws -> Bool

  /// Returns what talks to an engine.
  ///
  /// - Parameter changes: To be signaled when the status may have changed.
  func driver(
    for engine: any SyncEngine, timing: SyncTiming, changes: ChangeSignal
  ) -> any SyncDriving
}

/// How far a machine agrees with an engine.
protocol SyncProgress: Sendable {
  /// The identity of the engine that the machine has joined.
  var cluster: String? { get }
  /// Whether everything of the engine was read, and nothing makes it necessary to read it again.
  var hasJoined: Bool { get }
  /// The engine's revision up to which everything was received.
  var revision: UInt64 { get }
  /// How many changes that the engine takes are to be sent.
  var waitingCount: Int { get }
  /// The names of what is larger than the engine takes.
  var tooLarge: [String] { get }
  /// Whether nothing is to be sent.
  var isSent: Bool { get }
}

extension SyncProgress {
  /// Whether an engine that answers is the one that the machine has joined, and was not set back.
  func isOf(_ position: SyncPosition) -> Bool {
    position.cluster == cluster && position.engineRevision >= revision
  }

  /// Whether nothing was received, and nothing sent has come back, between this and another one.
  func isAsFar(as other: Self) -> Bool {
    (cluster, hasJoined, revision) == (other.cluster, other.hasJoined, other.revision)
  }
}
