import KeepsakeBase

/// Cuts the power of a ``SimulatedDisk`` after every event of a scenario and checks every disk that
/// can remain.
///
/// ```swift
/// let report = try await CutExplorer(model: .posix).run { disk in
///   try disk.replaceFile(at: "/a", with: [1])
///   disk.mark("saved")
/// } check: { disk, cut in
///   guard disk.bytes(at: "/a") == [1] || cut.marks.isEmpty else { throw Lost() }
/// }
/// ```
public struct CutExplorer: Sendable {
  /// The changes that the disk can lose.
  public var model: SimulatedDisk.Model
  /// The number of random combinations if more than ten updates are pending.
  public var samples: Int
  /// The seed of the random combinations.
  public var seed: UInt64

  /// Creates an explorer for one model of a disk.
  public init(model: SimulatedDisk.Model, samples: Int = 64, seed: UInt64 = 1) {
    self.model = model
    self.samples = samples
    self.seed = seed
  }

  /// Runs a scenario once and checks all disks that power cuts during it can leave.
  ///
  /// A disk is checked once for each set of marks that it occurs with.
  ///
  /// - Parameters:
  ///   - start: The initial disk, made durable; an empty disk by default.
  ///   - scenario: Uses the disk, and marks what it has done.
  ///   - check: Throws if a disk breaks a guarantee. It may change the disk.
  /// - Throws: ``ExplorationFailure`` for the first disk that the check rejects; errors of the
  ///   scenario.
  public func run(
    from start: SimulatedDisk = SimulatedDisk(),
    scenario: (SimulatedDisk) async throws -> Void,
    check: (SimulatedDisk, CutExplorer.Point) async throws -> Void
  ) async throws -> CutExplorer.Report {
    let disk = SimulatedDisk(start.core.withLock { $0.state.flushed(as: model) })
    disk.startRecording()
    try await scenario(disk)
    let moments = disk.core.withLock { $0.moments ?? [] }

    var visited = VisitedStates()
    try await visit(moments, &visited, check)
    return visited.report
  }

  /// The disks that were already checked.
  struct VisitedStates {
    private var states: Set<Int> = []
    private var visits: Set<[Int]> = []
    fileprivate var events = 0

    var report: CutExplorer.Report {
      CutExplorer.Report(events: events, states: states.count, visits: visits.count)
    }

    /// - Returns: Whether the disk is new in combination with these marks.
    fileprivate mutating func insert(_ state: DiskState, _ marks: [String]) -> Bool {
      let hash = state.contentHash
      states.insert(hash)
      return visits.insert([hash, marks.hashValue]).inserted
    }
  }

  /// Checks all disks that power cuts at some moments can leave, except those already visited.
  func visit(
    _ moments: [SimulatedDisk.Moment], _ visited: inout VisitedStates,
    _ check: (SimulatedDisk, CutExplorer.Point) async throws -> Void
  ) async throws {
    visited.events = max(visited.events, moments.last?.event ?? 0)
    for moment in moments {
      let cut = CutExplorer.Point(event: moment.event, call: moment.call, marks: moment.marks)
      let seed = seed &+ UInt64(moment.event)
      try await moment.state.visitStates(samples: samples, seed: seed) { state in
        guard visited.insert(state, cut.marks) else { return }
        do {
          try await check(SimulatedDisk(state), cut)
        } catch {
          throw ExplorationFailure(
            point: "\(cut)", found: SimulatedDisk(state).describe(), reason: error)
        }
      }
    }
  }
}

extension SimulatedDisk {
  /// Records the current disk, and the disk after every later event.
  func startRecording() {
    core.withLock { core in
      core.moments = [Moment(event: 0, call: nil, marks: core.marks, state: core.state)]
    }
  }
}
