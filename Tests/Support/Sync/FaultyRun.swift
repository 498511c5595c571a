import KeepsakeBase
import KeepsakeFiles
package import KeepsakeSync
import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Processes of several machines that share settings through an engine, while nodes and processes are killed, stopped
/// and cut off, disks are filled, files are lost, and the processes' clocks are moved.
///
/// Random operations are performed; then what was done is compared with what the engine had, as Jepsen does.
package struct FaultyRun {
  /// How much is done.
  package struct Length: Sendable {
    package var operations: Int
    package var faults: Int

    package init(operations: Int, faults: Int) {
      self.operations = operations
      self.faults = faults
    }

    /// That of these tests.
    package static var current: Length {
      TestLength.isAtLeast(.long)
        ? Length(operations: 100_000, faults: 100)
        : TestLength.isAtLeast(.standard)
          ? Length(operations: 5_000, faults: 16) : Length(operations: 300, faults: 2)
    }
  }

  /// A fault of the engine: the commands for the cluster that begin and end it.
  private struct Fault {
    let begin: [String]
    let end: [String]
  }

  private let cluster: Cluster
  private let nodes: [String]
  private let engine: any SyncEngine
  private let arguments: [String]

  /// - Parameters:
  ///   - engine: Of the namespace that the processes share, for whom nobody has killed.
  ///   - name: The engine's name, as the worker's command `share` has it.
  ///   - nodes: The engine's nodes in the cluster.
  package init(
    _ engine: any SyncEngine, named name: String, namespace: String, addresses: [String],
    nodes: [String], of cluster: Cluster
  ) {
    self.cluster = cluster
    self.nodes = nodes
    self.engine = engine
    arguments = [name, namespace] + addresses
  }

  /// Performs all of it, with a random seed, or that of the variable `KEEPSAKE_TEST_SEED`.
  ///
  /// - Returns: What is wrong; empty if nothing is.
  package func problems(length: Length = .current) async throws -> [String] {
    let seed =
      ProcessInfo.processInfo.environment["KEEPSAKE_TEST_SEED"].flatMap { UInt64($0) }
      ?? .random(in: 0..<1_000_000)
    return try await withTemporaryDirectory { directory in
      // The first machine has two processes.
      let processes = [0, 0, 1, 2].enumerated().map { index, machine in
        FaultyProcess(
          index, of: machine, in: directory.appending("machine\(machine)"), arguments: arguments)
      }
      let plan = OperationPlan(seed: seed)
      let follower = NamespaceFollower(engine)
      let following = Task { await follower.follow() }
      defer { following.cancel() }
      let start = ContinuousClock.now
      async let faults = Self.onThread {
        defer { plan.end() }
        return try makeFaults(to: processes, seed: seed, length: length, plan)
      }
      try await withThrowingTaskGroup { group in
        for process in processes {
          group.addTask { try await Self.onThread { try process.perform(plan) } }
        }
        try await group.waitForAll()
      }
      let faultCount = try await faults
      let differences = try await differences(of: processes)
      let operations = processes.flatMap(\.operations)
      print(
        """
        \(arguments[0]), seed \(seed): \(operations.count) operations (\(operations.count(where: \.isMade)) \
        acknowledged), \(faultCount) faults of nodes\
        \(cluster.addresses.partitions ? "" : " (without partitions and full disks, which need root)"), \
        \(processes.reduce(0) { $0 + $1.kills }) kills and \(processes.reduce(0) { $0 + $1.losses.count }) losses \
        of files in \(ContinuousClock.now - start)
        """)
      let losses = Dictionary(processes.map { ($0.machine, $0.losses) }, uniquingKeysWith: +)
      var problems = try await differences + problems(of: follower)
      problems += RunHistory(operations, follower.changes, losses: losses).problems
      problems += processes.flatMap(\.problems)
      // Otherwise nothing is proved.
      let made = operations.count(where: \.isMade)
      if length.operations > 1000,
        2 * made < operations.count || faultCount == 0 || processes.allSatisfy({ $0.kills == 0 })
      {
        problems.append("Too little was made, or too few faults.")
      }
      // One fault is seen in many values.
      return Array(problems.prefix(20))
    }
  }

  /// Compares what came while there were faults with what comes now.
  private func problems(of follower: NamespaceFollower) async throws -> [String] {
    let last = try await engine.position().revision
    guard try await follower.reaches(last) else { return ["A follower does not receive the end."] }
    let changes = follower.changes
    // An engine may have forgotten the beginning.
    let first = changes.count > 9_000 ? changes[changes.count - 9_000].revision : 0
    let again = try await NamespaceFollower.changes(of: engine, after: first, through: last)
    return Array(changes.drop { $0.revision <= first }) == again
      ? [] : ["A follower has not received each commit once."]
  }

  // MARK: Agreement

  /// Waits until all machines have what the engine has.
  ///
  /// - Returns: What is different after a minute.
  private func differences(of processes: [FaultyProcess]) async throws -> [String] {
    let deadline = ContinuousClock.now + .seconds(60)
    var differences = ["The engine does not answer."]
    while .now < deadline {
      // A node may have ended after the last repair, of what was before it.
      for node in nodes { try cluster.perform("start \(node)") }
      try await Task.sleep(for: .milliseconds(200))
      guard let snapshot = try? await engine.read() else { continue }
      var values: [String: Int] = [:]
      for case (.value(let key), let item) in snapshot.items {
        values[String(decoding: key, as: UTF8.self)] = Int(item.value)
      }
      differences = try processes.compactMap { process in
        let own = try process.values()
        let names = Set(values.keys).union(own.values.keys).filter { values[$0] != own.values[$0] }
        if own.waiting == 0, names.isEmpty { return nil }
        return """
          Process \(process.index) has \(own.waiting) changes that wait, and other values than the engine of \
          \(names.sorted()).
          """
      }
      if differences.isEmpty { break }
    }
    return differences
  }

  // MARK: Faults

  /// - Returns: How many there were.
  private func makeFaults(
    to processes: [FaultyProcess], seed: UInt64, length: Length, _ plan: OperationPlan
  ) throws -> Int {
    var random = SeededRandom(seed: seed &+ 1)
    var faults = 0
    pause(200...400, &random)
    while faults < length.faults || plan.count < length.operations {
      faults += 1
      let fault = anyFault(faults, &random)
      for command in fault.begin { try cluster.perform(command) }
      pause(100...600, &random)
      disturb(processes.randomElement(using: &random)!, &random)
      pause(100...600, &random)
      for command in fault.end { try cluster.perform(command) }
      pause(100...300, &random)
      disturb(processes.randomElement(using: &random)!, &random)
      pause(100...600, &random)
    }
    return faults
  }

  private func anyFault(_ number: Int, _ random: inout SeededRandom) -> Fault {
    let nodes = nodes.shuffled(using: &random)
    let node = nodes[0]
    let stop = Fault(begin: ["stop \(node)"], end: ["continue \(node)"])
    let kill = Fault(begin: ["kill \(node)"], end: ["start \(node)"])
    var faults = [kill, stop]
    if nodes.count > 2 {
      // No majority is left.
      faults.append(
        Fault(
          begin: ["stop \(node)", "kill \(nodes[1])"],
          end: ["start \(nodes[1])", "continue \(node)"]))
    }
    if cluster.addresses.partitions {
      faults.append(Fault(begin: ["isolate \(node)"], end: ["join \(node)"]))
      // Where the disk is full, the node may have ended.
      faults.append(Fault(begin: ["fill \(node)"], end: ["empty \(node)", "start \(node)"]))
      if nodes.count > 2 {
        faults.append(Fault(begin: ["partition \(node)"], end: ["join \(node)"]))
        faults.append(
          Fault(
            begin: ["partition \(node)", "kill \(nodes[1])"],
            end: ["start \(nodes[1])", "join \(node)"]))
      }
    }
    return faults[number % faults.count]
  }

  private func disturb(_ process: FaultyProcess, _ random: inout SeededRandom) {
    // Clocks that are a month apart remove records that are needed.
    process.moveClock(daysAhead: Int.random(in: -14...14, using: &random))
    switch Int.random(in: 0..<8, using: &random) {
    case 0:
      process.signal(SIGSTOP)
      pause(100...1500, &random)
      process.signal(SIGCONT)
    case 1, 2: process.signal(SIGKILL, losesFiles: process.machine > 0)
    default: process.signal(SIGKILL)
    }
  }

  private func pause(_ milliseconds: ClosedRange<UInt32>, _ random: inout SeededRandom) {
    usleep(UInt32.random(in: milliseconds, using: &random) * 1000)
  }

  /// Runs what blocks.
  private static func onThread<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      let isStarted = startThread {
        continuation.resume(with: Swift.Result { try body() })
      }
      if !isStarted { continuation.resume(throwing: Worker.Failure.start(.noMemory)) }
    }
  }
}
