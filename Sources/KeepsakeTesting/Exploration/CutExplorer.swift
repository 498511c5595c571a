import KeepsakeBase

/// Cuts a ``SimulatedDisk`` after every event of a scenario and checks every disk that could then
/// be found.
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
  /// What the disk may lose.
  public var model: DiskModel
  /// How many combinations are drawn at random where more than ten updates are pending.
  public var samples: Int
  /// Makes the drawn ones the same every time.
  public var seed: UInt64

  /// An explorer of what one kind of disk may lose.
  public init(model: DiskModel, samples: Int = 64, seed: UInt64 = 1) {
    self.model = model
    self.samples = samples
    self.seed = seed
  }

  /// Runs a scenario once and checks all disks that cuts in it could leave.
  ///
  /// A disk is checked once for each set of marks with which it is found.
  ///
  /// - Parameters:
  ///   - start: What the scenario finds, all of it durable; an empty disk by default.
  ///   - scenario: Uses the disk, and marks what it knows by then.
  ///   - check: Throws where a disk breaks a promise. It may use the disk as it likes.
  /// - Throws: ``ExplorationFailure`` for the first disk that a check rejects; whatever the scenario
  ///   throws.
  public func run(
    from start: SimulatedDisk = SimulatedDisk(),
    scenario: (SimulatedDisk) async throws -> Void,
    check: (SimulatedDisk, CutPoint) async throws -> Void
  ) async throws -> CutReport {
    let disk = SimulatedDisk(start.core.withLock { $0.state.settled(as: model) })
    disk.startRecording()
    try await scenario(disk)
    let moments = disk.core.withLock { $0.moments ?? [] }

    var tried = Tried()
    try await visit(moments, &tried, check)
    return tried.report
  }

  /// The disks that were checked already.
  struct Tried {
    private var states: Set<Int> = []
    private var visits: Set<[Int]> = []
    fileprivate var events = 0

    var report: CutReport {
      CutReport(events: events, states: states.count, visits: visits.count)
    }

    /// - Returns: Whether the disk was not found with these marks before.
    fileprivate mutating func insert(_ state: DiskState, _ marks: [String]) -> Bool {
      let hash = state.contentHash
      states.insert(hash)
      return visits.insert([hash, marks.hashValue]).inserted
    }
  }

  /// Checks all disks that cuts at some moments could leave, but those that were tried before.
  func visit(
    _ moments: [SimulatedDisk.Moment], _ tried: inout Tried,
    _ check: (SimulatedDisk, CutPoint) async throws -> Void
  ) async throws {
    tried.events = max(tried.events, moments.last?.event ?? 0)
    for moment in moments {
      let cut = CutPoint(event: moment.event, call: moment.call, marks: moment.marks)
      let seed = seed &+ UInt64(moment.event)
      try await moment.state.visitStates(samples: samples, seed: seed) { state in
        guard tried.insert(state, cut.marks) else { return }
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
  /// Keeps the disk after every event from now on, and as it is now.
  func startRecording() {
    core.withLock { core in
      core.moments = [Moment(event: 0, call: nil, marks: core.marks, state: core.state)]
    }
  }
}
