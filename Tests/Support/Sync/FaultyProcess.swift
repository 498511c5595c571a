import KeepsakeBase
import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A process that shares settings, is killed now and then, and starts again with its files, with an older copy of
/// them, or without any.
final class FaultyProcess: Sendable {
  private struct Control {
    /// Zero while the process is not there.
    var identifier: pid_t = 0
    /// Whether the files are to be lost before it starts again.
    var losesFiles = false
    /// When files were lost, or replaced by an older copy.
    var losses: [Int64] = []
    var kills = 0
    /// How many days its clock is ahead.
    var daysAhead = 0
  }

  private static let concurrentOperations = 3

  let machine: Int
  let index: Int
  private let directory: FilePath
  private let arguments: [String]
  private let control = Mutex(Control())
  private let worker = Mutex<Worker?>(nil)
  private let history = Mutex<[SharedOperation]>([])

  /// - Parameters:
  ///   - directory: That of its machine.
  ///   - arguments: The engine, as the worker's command `share` has it.
  init(_ index: Int, of machine: Int, in directory: FilePath, arguments: [String]) {
    self.index = index
    self.machine = machine
    self.directory = directory
    self.arguments = arguments
  }

  /// All operations so far, once ``perform(_:)`` has returned.
  var operations: [SharedOperation] { history.withLock { $0 } }

  var losses: [Int64] { control.withLock { $0.losses } }

  var kills: Int { control.withLock { $0.kills } }

  /// The problems that the settings have reported.
  var problems: [String] { worker.withLock { $0?.problems ?? [] } }

  /// Sends a signal at any point; with a loss of files the process must be the only one of its machine.
  func signal(_ number: Int32, losesFiles: Bool = false) {
    control.withLock { control in
      if control.identifier == 0 { return }
      if losesFiles { control.losesFiles = true }
      if number == SIGKILL { control.kills += 1 }
      _ = kill(control.identifier, number)
    }
  }

  /// Moves the process's clock, which takes effect with the next operation.
  func moveClock(daysAhead: Int) { control.withLock { $0.daysAhead = daysAhead } }

  /// Performs a plan's operations, several at a time, until there are no more; the process then goes on.
  func perform(_ plan: OperationPlan) throws {
    try worker.withLock { worker in
      var running: [Int: SharedOperation] = [:]
      worker = try start()
      var daysAhead = 0
      while true {
        let days = control.withLock { $0.daysAhead }
        if days != daysAhead {
          try? worker?.send("clock \(days)")
          daysAhead = days
        }
        while running.count < Self.concurrentOperations,
          let operation = plan.next(machine: machine, process: index)
        {
          running[operation.number] = operation
          // Where the process was killed, reading notices it.
          try? worker?.send(operation.line)
        }
        if running.isEmpty { return }
        guard let line = try worker?.readLine() else {
          history.withLock { $0 += running.values }
          running = [:]
          worker = try restart(worker)
          continue
        }
        let words = line.split(separator: " ")
        guard let number = Int(words[0]), var operation = running.removeValue(forKey: number) else {
          throw UnknownAnswer(line: line)
        }
        operation.take(words)
        if case .made(let value?) = operation.outcome { plan.learn(value, of: operation.key) }
        history.withLock { $0.append(operation) }
      }
    }
  }

  /// What the process has, and how many of its changes are not shown by the engine.
  func values() throws -> (waiting: Int, values: [String: Int]) {
    let line = try worker.withLock { try $0?.ask("0 values all") ?? "" }
    let words = line.split(separator: " ").dropFirst(4)
    var values: [String: Int] = [:]
    for word in words.dropFirst() {
      let parts = word.split(separator: "=")
      values[String(parts[0])] = Int(parts[1])
    }
    return (words.first.flatMap { Int($0) } ?? -1, values)
  }

  /// Ends the process.
  func end() { worker.withLock { $0 = nil } }

  private struct UnknownAnswer: Error {
    let line: String
  }

  private func restart(_ old: Worker?) throws -> Worker {
    let losesFiles = control.withLock { control in
      control.identifier = 0
      defer { control.losesFiles = false }
      return control.losesFiles
    }
    old?.kill()
    let files = FileManager.default
    let copy = directory.string + ".copy"
    if losesFiles {
      try files.removeItem(atPath: directory.string)
      if files.fileExists(atPath: copy) {
        try files.moveItem(atPath: copy, toPath: directory.string)
      }
      control.withLock { $0.losses.append(MonotonicTime.now) }
    } else if machine > 0, !files.fileExists(atPath: copy) {
      try files.copyItem(atPath: directory.string, toPath: copy)
    }
    return try start()
  }

  /// Starts the process, also if it is killed while it starts.
  private func start() throws -> Worker {
    let days = control.withLock { $0.daysAhead }
    let worker = try Worker(["share", directory.string, "\(days)"] + arguments)
    control.withLock { $0.identifier = worker.process }
    return try worker.readLine() == "ready" ? worker : restart(worker)
  }
}
