public import KeepsakeFiles

/// Tests a durability test: drops each flush of a scenario in turn, and expects the scenario's
/// check to detect it.
public struct FlushExplorer: Sendable {
  /// The explorer that searches for lost changes.
  public var cuts: CutExplorer

  /// Creates an explorer that searches for lost changes with another one.
  public init(_ cuts: CutExplorer) {
    self.cuts = cuts
  }

  /// Runs a scenario once with all flushes, which must lose nothing, and once without each of them.
  ///
  /// - Parameters:
  ///   - start: The initial disk of each run, made durable; an empty disk by default.
  ///   - scenario: Makes all calls through the file system, and marks on the disk.
  ///   - check: Throws if a disk breaks a guarantee.
  /// - Returns: All flushes, each with whether the check failed without it.
  /// - Throws: ``ExplorationFailure`` if the check fails with all flushes made; errors of the
  ///   scenario.
  public func run(
    from start: SimulatedDisk = SimulatedDisk(),
    scenario: (any FileSystem, SimulatedDisk) async throws -> Void,
    check: (SimulatedDisk, CutExplorer.Point) async throws -> Void
  ) async throws -> [(flush: SimulatedDisk.Call, isNeeded: Bool)] {
    let all = try await flushes(dropping: nil, from: start, scenario: scenario, check: check)
    var results: [(flush: SimulatedDisk.Call, isNeeded: Bool)] = []
    for (index, flush) in all.enumerated() {
      do {
        _ = try await flushes(dropping: index + 1, from: start, scenario: scenario, check: check)
        results.append((flush, isNeeded: false))
      } catch is ExplorationFailure {
        results.append((flush, isNeeded: true))
      }
    }
    return results
  }

  private func flushes(
    dropping number: Int?, from start: SimulatedDisk,
    scenario: (any FileSystem, SimulatedDisk) async throws -> Void,
    check: (SimulatedDisk, CutExplorer.Point) async throws -> Void
  ) async throws -> [SimulatedDisk.Call] {
    var flushes: [SimulatedDisk.Call] = []
    _ = try await cuts.run(from: start) { disk in
      let files = FlushDroppingFileSystem(disk, dropping: number)
      try await scenario(files, disk)
      flushes = files.flushes
    } check: { disk, cut in
      try await check(disk, cut)
    }
    return flushes
  }
}
