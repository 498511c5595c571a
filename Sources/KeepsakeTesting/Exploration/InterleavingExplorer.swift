import Dispatch
import KeepsakeBase
import KeepsakeFiles

/// Runs a few processes that share a ``SimulatedDisk`` in every order of their calls with a bounded
/// number of switches, and checks the disk after each run.
///
/// Most concurrency bugs appear with at most two switches ("Iterative Context Bounding for
/// Systematic Testing of Multithreaded Programs", Musuvathi and Qadeer, 2007). A process can also
/// be stopped permanently before any of its calls.
public struct InterleavingExplorer: Sendable {
  /// The maximum number of switches away from a process that could continue.
  public var switches: Int
  /// Whether one process is stopped permanently, before each of its calls in turn.
  public var stops: Bool

  /// Creates an explorer of all orders with a maximum number of switches.
  public init(switches: Int = 2, stops: Bool = false) {
    self.switches = switches
    self.stops = stops
  }

  /// Runs processes in all orders.
  ///
  /// - Parameters:
  ///   - processes: The bodies of the processes, each run on its own thread. The check receives
  ///     the errors that they throw.
  ///   - prepare: Prepares the disk for each run; its calls are not interleaved.
  ///   - check: Throws if a run broke a guarantee; receives the disk and each process's error,
  ///     `nil` for one that was stopped or did not throw.
  /// - Returns: The number of orders.
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
      disk.beforeCall.withLock { $0 = SimulatedDisk.Hook { try schedule.waitUntilScheduled() } }
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
        precondition(isStarted, "the thread could not be started")
      }
      order.begin()
      while true {
        let waiting = schedule.waitUntilAllWait()
        guard let next = order.next(among: waiting) else { break }
        schedule.resume(next)
      }
      disk.beforeCall.withLock { $0 = SimulatedDisk.Hook { try schedule.throwIfStopped() } }
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

  /// Runs processes in all orders, with a power cut after every event of each.
  ///
  /// A disk is checked once for each list of marks that it occurs with, across all orders.
  ///
  /// - Parameters:
  ///   - processes: The bodies of the processes, each run on its own thread; they mark on the disk
  ///     which calls returned.
  ///   - cuts: The explorer of power cuts; the disk's model is always ``SimulatedDisk/Model/posix``.
  ///   - prepare: Prepares the disk for each run; its calls are not interleaved.
  ///   - check: Throws if a disk breaks a guarantee. It may change the disk.
  /// - Returns: The number of orders, and the extent of the exploration of power cuts.
  /// - Throws: ``ExplorationFailure`` for the first disk that the check rejects, with its order.
  public func run<Context: Sendable>(
    processes: [@Sendable (SimulatedDisk, Context) throws -> Void],
    cuts: CutExplorer = CutExplorer(model: .posix),
    prepare: (SimulatedDisk) throws -> Context,
    check: (SimulatedDisk, CutExplorer.Point) async throws -> Void
  ) async throws -> (orders: Int, cuts: CutExplorer.Report) {
    var visited = CutExplorer.VisitedStates()
    let orders = try await run(processes: processes) { disk in
      let context = try prepare(disk)
      disk.startRecording()
      return context
    } check: { disk, _, _ in
      try await cuts.visit(disk.core.withLock { $0.moments ?? [] }, &visited, check)
    }
    return (orders, visited.report)
  }
}

/// Enumerates the orders of an exploration: which process makes each call.
private struct CallOrder {
  /// One choice of a run.
  private struct Step {
    var waiting: [Int]
    var choice: Int
    /// The process that would continue without a switch.
    var current: Int
    var switches: Int
    /// Whether the chosen process is stopped instead of making its call.
    var isStop = false
  }

  private let limit: Int
  private let stops: Bool
  private var steps: [Step] = []
  /// The number of steps that repeat those of the previous run.
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

  /// The process that makes the next call; `nil` if none can.
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

  /// Advances the last choice that has an untried alternative.
  ///
  /// - Returns: Whether there was one.
  mutating func advance() -> Bool {
    while let step = steps.popLast() {
      prefix = steps.count
      let before = steps.last?.switches ?? 0
      // The choices in order: continue, switch to another process, stop one.
      var options = step.waiting.map { (choice: $0, isStop: false) }
      if stops && !steps.contains(where: \.isStop) {
        options += step.waiting.map { (choice: $0, isStop: true) }
      }
      options.sort { first, _ in first.choice == step.current && !first.isStop }
      let index = options.firstIndex { $0.choice == step.choice && $0.isStop == step.isStop }!
      for option in options[(index + 1)...] {
        let isSwitch = option.choice != step.current && !option.isStop
        let switches = before + (isSwitch ? 1 : 0)
        // Only the process that would continue is stopped here; others are when they would
        // continue.
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

/// Schedules the threads of one run to make their calls one at a time.
private final class CallSchedule: Sendable {
  private enum Phase { case starting, running, waiting, ended }

  private struct State {
    var phases: [Phase]
    var threads: [UInt: Int] = [:]
    var errors: [(any Error)?]
    var hasEnded = false
  }

  /// The error that ends a stopped process after the run.
  struct Stopped: Error {}

  private let state: Mutex<State>
  /// Signaled each time a process starts to wait, or ends.
  private let arrivals = DispatchSemaphore(value: 0)
  /// Signaled to let a process make its next call.
  private let resumptions: [DispatchSemaphore]

  init(count: Int) {
    state = Mutex(
      State(
        phases: Array(repeating: .starting, count: count),
        errors: Array(repeating: nil, count: count)))
    resumptions = (0..<count).map { _ in DispatchSemaphore(value: 0) }
  }

  var errors: [(any Error)?] { state.withLock { $0.errors } }

  func enter(_ index: Int) {
    state.withLock { $0.threads[ThreadIdentity.current] = index }
  }

  func leave(_ index: Int, throwing error: (any Error)?) {
    state.withLock { state in
      state.threads[ThreadIdentity.current] = nil
      state.phases[index] = .ended
      if !state.hasEnded { state.errors[index] = error }
    }
    arrivals.signal()
  }

  /// Waits until the calling thread may make its next call; returns immediately on threads of no
  /// process.
  func waitUntilScheduled() throws {
    let index = state.withLock { state -> Int? in
      guard !state.hasEnded, let index = state.threads[ThreadIdentity.current] else { return nil }
      state.phases[index] = .waiting
      return index
    }
    if let index {
      arrivals.signal()
      resumptions[index].wait()
    }
    try throwIfStopped()
  }

  /// Throws on threads of stopped processes, to fail their calls.
  func throwIfStopped() throws {
    let isStopped = state.withLock { $0.hasEnded && $0.threads[ThreadIdentity.current] != nil }
    if isStopped { throw Stopped() }
  }

  /// - Returns: The processes that wait to make a call; empty if all have ended.
  func waitUntilAllWait() -> [Int] {
    while true {
      let phases = state.withLock { $0.phases }
      if phases.allSatisfy({ $0 == .waiting || $0 == .ended }) {
        return phases.indices.filter { phases[$0] == .waiting }
      }
      arrivals.wait()
    }
  }

  func resume(_ index: Int) {
    state.withLock { $0.phases[index] = .running }
    resumptions[index].signal()
  }

  /// Ends the threads of stopped processes.
  func end() {
    let stopped = state.withLock { state in
      state.hasEnded = true
      return state.phases.indices.filter { state.phases[$0] == .waiting }
    }
    for index in stopped { resumptions[index].signal() }
    while !state.withLock({ $0.phases.allSatisfy { $0 == .ended } }) { arrivals.wait() }
  }
}
