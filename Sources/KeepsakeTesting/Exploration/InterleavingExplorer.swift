import Dispatch
import KeepsakeBase
import KeepsakeFiles

/// Runs a few processes that share a ``SimulatedDisk`` in every order of their calls that takes a
/// bounded number of switches, and checks the disk after each.
///
/// Most faults of code that runs at the same time show with two switches at most ("Iterative Context
/// Bounding for Systematic Testing of Multithreaded Programs", Musuvathi and Qadeer, 2007). A process
/// can also be stopped forever before any one of its calls.
public struct InterleavingExplorer: Sendable {
  /// How often a process that could go on is left for another.
  public var switches: Int
  /// Whether one process is stopped forever, before each of its calls in turn.
  public var stops: Bool

  /// An explorer of all orders with a number of switches.
  public init(switches: Int = 2, stops: Bool = false) {
    self.switches = switches
    self.stops = stops
  }

  /// Runs processes in all orders.
  ///
  /// - Parameters:
  ///   - processes: What each process does, on a thread of its own. What it throws is kept for the
  ///     check.
  ///   - prepare: Makes what each run starts with; none of its calls is interleaved.
  ///   - check: Throws where a run broke a promise; receives the disk and what each process threw,
  ///     `nil` for one that was stopped or threw nothing.
  /// - Returns: How many orders were run.
  /// - Throws: ``ExplorationFailure`` for the first run that the check rejects, with its order.
  public func run<Context: Sendable>(
    processes: [@Sendable (SimulatedDisk, Context) throws -> Void],
    prepare: (SimulatedDisk) throws -> Context,
    check: (SimulatedDisk, Context, [(any Error)?]) async throws -> Void
  ) async throws -> Int {
    var count = 0
    var order = CallOrder(switches: switches, stops: stops)
    repeat {
      count += 1
      let disk = SimulatedDisk()
      let context = try prepare(disk)
      let schedule = CallSchedule(count: processes.count)
      disk.beforeCall.withLock { $0 = SimulatedDisk.Hook { try schedule.waitForTurn() } }
      for (index, body) in processes.enumerated() {
        let isStarted = startThread {
          schedule.enter(index)
          do {
            try body(disk, context)
            schedule.leave(index, throwing: nil)
          } catch {
            schedule.leave(index, throwing: error)
          }
        }
        precondition(isStarted, "there is no more thread to be had")
      }
      order.begin()
      while true {
        let waiting = schedule.waitUntilAllWait()
        guard let next = order.next(among: waiting) else { break }
        schedule.letGo(next)
      }
      disk.beforeCall.withLock { $0 = SimulatedDisk.Hook { try schedule.refuseStopped() } }
      let failure: ExplorationFailure?
      do {
        try await check(disk, context, schedule.errors)
        failure = nil
      } catch {
        let cut = error as? ExplorationFailure
        failure = ExplorationFailure(
          point: (cut.map { "\($0.point) in " } ?? "") + "order \(order.description)",
          found: cut?.found ?? disk.describe(), reason: cut?.reason ?? error)
      }
      schedule.end()
      if let failure { throw failure }
    } while order.advance()
    return count
  }

  /// Runs processes in all orders, and has the power fail after every event of each.
  ///
  /// A disk is checked once for each list of marks with which it is found, in any order.
  ///
  /// - Parameters:
  ///   - processes: What each process does, on a thread of its own; it marks on the disk what it was told.
  ///   - cuts: What the disk may lose; the kind of disk is the worst that POSIX allows.
  ///   - prepare: Makes what each run starts with; none of its calls is interleaved.
  ///   - check: Throws where a disk breaks a promise. It may use the disk as it likes.
  /// - Returns: How many orders were run, and how many disks were checked.
  /// - Throws: ``ExplorationFailure`` for the first disk that the check rejects, with its order.
  public func run<Context: Sendable>(
    processes: [@Sendable (SimulatedDisk, Context) throws -> Void],
    cuts: CutExplorer = CutExplorer(model: .posix),
    prepare: (SimulatedDisk) throws -> Context,
    check: (SimulatedDisk, CutPoint) async throws -> Void
  ) async throws -> (orders: Int, cuts: CutReport) {
    var tried = CutExplorer.Tried()
    let orders = try await run(processes: processes) { disk in
      let context = try prepare(disk)
      disk.startRecording()
      return context
    } check: { disk, _, _ in
      try await cuts.visit(disk.core.withLock { $0.moments ?? [] }, &tried, check)
    }
    return (orders, tried.report)
  }
}

/// The choice of who makes the next call, for all runs of an exploration.
private struct CallOrder {
  /// One choice of a run.
  private struct Step {
    var waiting: [Int]
    var choice: Int
    /// The process that would go on without a switch.
    var current: Int
    var switches: Int
    /// The process that is stopped instead of making its call, if any.
    var isStop = false
  }

  private let limit: Int
  private let stops: Bool
  private var steps: [Step] = []
  /// How many steps are those of the run before.
  private var prefix = 0
  private var position = 0
  private var stopped: Set<Int> = []

  init(switches: Int, stops: Bool) {
    limit = switches
    self.stops = stops
  }

  mutating func begin() {
    position = 0
    stopped = []
  }

  /// The process that makes the next call; `nil` where none is left that may.
  mutating func next(among all: [Int]) -> Int? {
    while true {
      let waiting = all.filter { !stopped.contains($0) }
      if waiting.isEmpty { return nil }
      if position == prefix {
        let last = steps.last { !$0.isStop }
        let current = last.map(\.choice).flatMap { waiting.contains($0) ? $0 : nil } ?? waiting[0]
        steps.append(
          Step(
            waiting: waiting, choice: current, current: current, switches: steps.last?.switches ?? 0
          ))
        prefix += 1
      }
      let step = steps[position]
      position += 1
      if !step.isStop { return step.choice }
      stopped.insert(step.choice)
    }
  }

  /// Changes the last choice that can be another.
  ///
  /// - Returns: Whether there is one.
  mutating func advance() -> Bool {
    while let step = steps.popLast() {
      prefix = steps.count
      let before = steps.last?.switches ?? 0
      // The choices in turn: to go on, to go on with another, to stop one.
      var options = step.waiting.map { (choice: $0, isStop: false) }
      if stops && !steps.contains(where: \.isStop) {
        options += step.waiting.map { (choice: $0, isStop: true) }
      }
      options.sort { first, _ in first.choice == step.current && !first.isStop }
      let index = options.firstIndex { $0.choice == step.choice && $0.isStop == step.isStop }!
      for option in options[(index + 1)...] {
        let isSwitch = option.choice != step.current && !option.isStop
        let switches = before + (isSwitch ? 1 : 0)
        // Only the one that would go on is stopped here: another is when it would.
        if switches > limit || (option.isStop && option.choice != step.current) { continue }
        steps.append(
          Step(
            waiting: step.waiting, choice: option.choice, current: step.current,
            switches: switches, isStop: option.isStop))
        prefix = steps.count
        return true
      }
    }
    return false
  }

  var description: String {
    steps.prefix(position).map { $0.isStop ? "stop \($0.choice)" : "\($0.choice)" }
      .joined(separator: " ")
  }
}

/// Lets the threads of one run make their calls one at a time.
private final class CallSchedule: Sendable {
  private enum Phase { case starting, running, waiting, ended }

  private struct State {
    var phases: [Phase]
    var threads: [UInt: Int] = [:]
    var errors: [(any Error)?]
    var isOver = false
  }

  /// What a process that is stopped meets when the run is over.
  struct Stopped: Error {}

  private let state: Mutex<State>
  /// Signaled for each process that comes to wait, or ends.
  private let arrivals = DispatchSemaphore(value: 0)
  /// Signaled for a process whose turn it is.
  private let turns: [DispatchSemaphore]

  init(count: Int) {
    state = Mutex(
      State(
        phases: Array(repeating: .starting, count: count),
        errors: Array(repeating: nil, count: count)))
    turns = (0..<count).map { _ in DispatchSemaphore(value: 0) }
  }

  var errors: [(any Error)?] { state.withLock { $0.errors } }

  func enter(_ index: Int) {
    state.withLock { $0.threads[ThreadIdentity.current] = index }
  }

  func leave(_ index: Int, throwing error: (any Error)?) {
    state.withLock { state in
      state.threads[ThreadIdentity.current] = nil
      state.phases[index] = .ended
      if !state.isOver { state.errors[index] = error }
    }
    arrivals.signal()
  }

  /// Waits until the calling thread may make its next call; at once on a thread of none.
  func waitForTurn() throws {
    let index = state.withLock { state -> Int? in
      guard !state.isOver, let index = state.threads[ThreadIdentity.current] else { return nil }
      state.phases[index] = .waiting
      return index
    }
    if let index {
      arrivals.signal()
      turns[index].wait()
    }
    try refuseStopped()
  }

  /// Fails the calls of processes that were stopped.
  func refuseStopped() throws {
    let isRefused = state.withLock { $0.isOver && $0.threads[ThreadIdentity.current] != nil }
    if isRefused { throw Stopped() }
  }

  /// - Returns: The processes that wait for their turn; empty where all have ended.
  func waitUntilAllWait() -> [Int] {
    while true {
      let phases = state.withLock { $0.phases }
      if phases.allSatisfy({ $0 == .waiting || $0 == .ended }) {
        return phases.indices.filter { phases[$0] == .waiting }
      }
      arrivals.wait()
    }
  }

  func letGo(_ index: Int) {
    state.withLock { $0.phases[index] = .running }
    turns[index].signal()
  }

  /// Lets the threads of stopped processes end.
  func end() {
    let stopped = state.withLock { state in
      state.isOver = true
      return state.phases.indices.filter { state.phases[$0] == .waiting }
    }
    for index in stopped { turns[index].signal() }
    while !state.withLock({ $0.phases.allSatisfy { $0 == .ended } }) { arrivals.wait() }
  }
}
