import KeepsakeBase
import KeepsakeFiles

/// Runs a scenario repeatedly, and fails a different call to the disk each time.
public struct FailureExplorer: Sendable {
  /// The changes that the disk can lose.
  public var model: SimulatedDisk.Model
  /// The ways in which each call fails.
  public var failures: [SimulatedDisk.Failure]

  /// Creates an explorer that fails each call in each of the ways.
  public init(
    model: SimulatedDisk.Model = .posix,
    failures: [SimulatedDisk.Failure] = SimulatedDisk.Failure.allCases
  ) {
    self.model = model
    self.failures = failures
  }

  /// Runs a scenario once without a failure, then once for each of its calls and each way in which
  /// that call can fail.
  ///
  /// - Parameters:
  ///   - start: The initial disk of each run, made durable; an empty disk by default.
  ///   - scenario: Uses the disk, and marks what it has done; it may throw the error that a failure
  ///     causes.
  ///   - check: Throws if a guarantee is broken. Its calls succeed.
  /// - Returns: The number of runs.
  /// - Throws: ``ExplorationFailure`` for the first run that the check rejects; errors of the
  ///   scenario when nothing fails.
  public func run(
    from start: SimulatedDisk = SimulatedDisk(),
    scenario: (SimulatedDisk) async throws -> Void,
    check: (SimulatedDisk, FailureExplorer.Point) async throws -> Void
  ) async throws -> Int {
    let state = start.core.withLock { $0.state.flushed(as: model) }
    let baseline = SimulatedDisk(state)
    try await scenario(baseline)
    var runs = 1
    for (index, call) in baseline.calls.enumerated() {
      for failure in failures where failure != .partial || call.movesBytes {
        runs += 1
        let disk = SimulatedDisk(state)
        disk.fail(call: index + 1, with: failure)
        var point = FailureExplorer.Point(number: index + 1, call: call, failure: failure)
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

extension SimulatedDisk.Call {
  /// Whether the call can be performed partially.
  fileprivate var movesBytes: Bool { operation == .read || operation == .write }
}
