public import KeepsakeFiles

/// Proves a suite by its failures: drops each flush of a scenario in turn, and expects the
/// scenario's own check to notice.
public struct FlushExplorer: Sendable {
  /// Looks for losses.
  public var cuts: CutExplorer

  /// An explorer that looks for losses with another one.
  public init(_ cuts: CutExplorer) {
    self.cuts = cuts
  }

  /// Runs a scenario once with all flushes, which must find no loss, and once without each.
  ///
  /// - Parameters:
  ///   - start: What each run finds, all of it durable; an empty disk by default.
  ///   - scenario: Makes all its calls through the file system, and its marks on the disk.
  ///   - check: Throws where a disk breaks a promise.
  /// - Returns: All flushes, with whether a loss was found without each.
  /// - Throws: ``ExplorationFailure`` where a loss is found with all flushes made; whatever the
  ///   scenario throws.
  public func run(
    from start: SimulatedDisk = SimulatedDisk(),
    scenario: (any FileSystem, SimulatedDisk) async throws -> Void,
    check: (SimulatedDisk, CutPoint) async throws -> Void
  ) async throws -> [(flush: DiskCall, isNeeded: Bool)] {
    let all = try await flushes(dropping: nil, from: start, scenario: scenario, check: check)
    var results: [(flush: DiskCall, isNeeded: Bool)] = []
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
    check: (SimulatedDisk, CutPoint) async throws -> Void
  ) async throws -> [DiskCall] {
    var flushes: [DiskCall] = []
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
