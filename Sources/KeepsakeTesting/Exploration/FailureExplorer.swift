import KeepsakeBase
import KeepsakeFiles

/// Runs a scenario again and again, and fails another of its calls to the disk each time.
public struct FailureExplorer: Sendable {
  /// What the disk may lose.
  public var model: DiskModel
  /// The ways in which each call fails.
  public var failures: [CallFailure]

  /// An explorer of all calls, each of which fails in all ways.
  public init(model: DiskModel = .posix, failures: [CallFailure] = CallFailure.allCases) {
    self.model = model
    self.failures = failures
  }

  /// Runs a scenario once without a failure, then once for each call that it made and each way in
  /// which that can fail.
  ///
  /// - Parameters:
  ///   - start: What each run finds, all of it durable; an empty disk by default.
  ///   - scenario: Uses the disk, and marks what it knows by then; it may throw what the failure
  ///     made it throw.
  ///   - check: Throws where a promise is broken. Calls succeed again.
  /// - Returns: How many runs there were.
  /// - Throws: ``ExplorationFailure`` for the first run that a check rejects; whatever the scenario
  ///   throws when nothing fails.
  public func run(
    from start: SimulatedDisk = SimulatedDisk(),
    scenario: (SimulatedDisk) async throws -> Void,
    check: (SimulatedDisk, FailurePoint) async throws -> Void
  ) async throws -> Int {
    let state = start.core.withLock { $0.state.settled(as: model) }
    let unharmed = SimulatedDisk(state)
    try await scenario(unharmed)
    var runs = 1
    for (index, call) in unharmed.calls.enumerated() {
      for failure in failures where failure != .partial || call.movesBytes {
        runs += 1
        let disk = SimulatedDisk(state)
        disk.fail(call: index + 1, with: failure)
        var point = FailurePoint(number: index + 1, call: call, failure: failure)
        do {
          try await scenario(disk)
        } catch {
          point.error = error
        }
        point.marks = disk.core.withLock { $0.marks }
        disk.stopFailing()
        do {
          try await check(disk, point)
        } catch {
          throw ExplorationFailure(point: "\(point)", found: disk.describe(), reason: error)
        }
      }
    }
    return runs
  }
}

extension DiskCall {
  /// Whether the call can do a part of what it is asked for.
  fileprivate var movesBytes: Bool { operation == .read || operation == .write }
}
