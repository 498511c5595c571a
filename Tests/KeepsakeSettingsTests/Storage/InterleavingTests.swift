import KeepsakeBase
import KeepsakeFiles
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@testable import KeepsakeSettings

/// What processes do with one store, and which of their calls returned.
///
/// A program is a letter for each step: `s` sets a key of the process's own, `t` adds one to a
/// number that both change, `p` writes the property list, `y` synchronizes, `o` closes and opens
/// the store, or opens it for the first time if a program begins with it.
private final class SharedStore: Sendable {
  static let path: FilePath = "/app/small.plist"
  static let count = SettingsKey("count", default: 0)

  /// The calls that one process has begun, and those that returned.
  struct Progress {
    var set = 0
    var requested = 0
    var added = 0
    var tried = 0
    var isDone = false
  }

  let progress = Mutex<[Progress]>([])
  private let stores = Mutex<[SettingsStore?]>([])

  init(_ disk: SimulatedDisk, _ programs: [String]) throws {
    for program in programs {
      let store = program.hasPrefix("o") ? nil : try Self.open(disk)
      stores.withLock { $0.append(store) }
      progress.withLock { $0.append(Progress()) }
    }
  }

  static func open(_ disk: SimulatedDisk) throws -> SettingsStore {
    try SettingsStore(file: path, fileSystem: disk, isAutomatic: false)
  }

  static func own(_ process: Int) -> SettingsKey<Int> { SettingsKey("own \(process)", default: 0) }

  func run(_ program: String, _ process: Int, _ disk: SimulatedDisk) throws {
    var store = stores.withLock { $0[process] } ?? SettingsStore.inMemory()
    for step in program {
      switch step {
      case "s":
        let number = progress.withLock { progress in
          progress[process].requested += 1
          return progress[process].requested
        }
        try store.set(number, for: Self.own(process))
        progress.withLock { $0[process].set = number }
      case "t":
        progress.withLock { $0[process].tried += 1 }
        try store.transaction { $0[Self.count] += 1 }
        progress.withLock { $0[process].added += 1 }
      case "p": do { try store.save() } catch { try Self.rethrow(error) }
      case "y":
        // What others wrote before is flushed, too: any other call may come before this one.
        _ = try disk.information(at: Self.path)
        let before = progress.withLock { $0 }
        try store.app.synchronizeNow()
        for (process, progress) in before.enumerated() {
          disk.mark("\(process) flushed \(progress.set) \(progress.added)")
        }
      case "o":
        stores.withLock { $0[process] = nil }
        store = SettingsStore.inMemory()
        store = try Self.open(disk)
        stores.withLock { [store] in $0[process] = store }
      default: break
      }
    }
    progress.withLock { $0[process].isDone = true }
  }

  /// It is not a failure if the other process is writing the property list.
  private static func rethrow(_ error: SettingsError) throws {
    if (error.cause as? FileError)?.code != .resourceBusy { throw error }
  }

  /// Checks what a power cut left.
  static func check(_ disk: SimulatedDisk, _ cut: CutExplorer.Point) throws {
    var set: [Int: Int] = [:]
    var added: [Int: Int] = [:]
    for mark in cut.marks {
      let words = mark.split(separator: " ")
      let process = Int(words[0])!
      // A flush may have begun before another one, and ended after it.
      set[process] = max(set[process] ?? 0, Int(words[2])!)
      added[process] = max(added[process] ?? 0, Int(words[3])!)
    }
    // What the first opener repairs stays repaired.
    for name in ["the first opener", "the next"] {
      let store = try open(disk)
      for (process, number) in set where store[own(process)] < number {
        throw Broken("\(name) has \(store[own(process)]) for \(process), which flushed \(number)")
      }
      let flushed = added.values.reduce(0, +)
      guard store[count] >= flushed else {
        throw Broken("\(name) counts \(store[count]), and \(flushed) were flushed")
      }
    }
  }

  /// Checks what a second power cut leaves, while the store is opened and written again after a first.
  static func checkAgain(_ disk: SimulatedDisk, _ cut: CutExplorer.Point) async throws {
    let repaired = SettingsKey("repaired", default: false)
    _ = try await CutExplorer(model: .posix, samples: 2).run(from: disk) { disk in
      let store = try open(disk)
      try store.set(true, for: repaired)
      try store.app.synchronizeNow()
      disk.mark("flushed")
      try store.save()
    } check: { disk, second in
      try check(disk, cut)
      if !second.marks.isEmpty, try !open(disk)[repaired] {
        throw Broken("what was flushed after the first power cut was lost in the second")
      }
    }
  }

  func check(_ disk: SimulatedDisk, _ errors: [(any Error)?]) throws {
    for case let error? in errors { throw error }
    let progress = progress.withLock { $0 }
    let live = stores.withLock { stores in
      zip(stores, progress).compactMap { $1.isDone ? $0 : nil }
    }
    for store in live { try store.transaction { _ in } }
    for (name, store) in live.map({ ("a running store", $0) })
      + [("a new store", try Self.open(disk.restarted()))]
    {
      for (process, progress) in progress.enumerated() {
        let found = store[Self.own(process)]
        guard (progress.set...progress.requested).contains(found) else {
          throw Broken(
            "\(name) has \(found) for process \(process), where \(progress.set) was acknowledged")
        }
      }
      let added = progress.map(\.added).reduce(0, +)
      let tried = progress.map(\.tried).reduce(0, +)
      guard (added...tried).contains(store[Self.count]) else {
        throw Broken("\(name) counts \(store[Self.count]), and \(added) were acknowledged")
      }
    }
    let values = try Self.open(disk.restarted()).app.all
    for store in live where store.app.all != values {
      throw Broken("a running store has \(store.app.all), a new store \(values)")
    }
  }
}

@Suite(
  "P1, P2, P5: Processes in every order of their calls",
  .enabled(if: TestLength.isAtLeast(.standard), "tries thousands of orders"))
struct InterleavingTests {
  static let programs: [[String]] = [
    ["s", "t"], ["st", "ts"], ["sp", "st"], ["tp", "tp"], ["so", "tp"], ["ps", "tt"], ["pt", "op"],
    ["os", "osp"],
  ]

  /// Long tests include three processes.
  static let all =
    programs + (TestLength.isAtLeast(.long) ? [["s", "t", "p"], ["t", "tp", "o"]] : [])

  @Test(
    "Processes lose nothing, count every transaction once, and end with the same values",
    arguments: all)
  func orders(programs: [String]) async throws {
    try await explore(programs, InterleavingExplorer(switches: TestLength.isAtLeast(.long) ? 3 : 2))
  }

  @Test("Processes continue when one of them is stopped before any of its calls", arguments: all)
  func stops(programs: [String]) async throws {
    try await explore(
      programs, InterleavingExplorer(switches: TestLength.isAtLeast(.long) ? 2 : 1, stops: true))
  }

  @Test(
    "Processes keep what was flushed when the power fails during other calls",
    arguments: [
      ["sy", "t"], ["sy", "p"], ["ty", "tp"], ["sy", "ty"], ["typ", "s"], ["sy", "so"],
      ["ys", "sps"],
    ])
  func cuts(programs: [String]) async throws {
    let explorer = InterleavingExplorer(switches: TestLength.isAtLeast(.long) ? 3 : 2)
    // A second power cut adds some hundred states for a disk.
    let every = TestLength.isAtLeast(.long) ? 10 : 100
    var found = 0
    let tried = try await explorer.run(
      processes: processes(programs),
      cuts: CutExplorer(model: .posix, samples: TestLength.isAtLeast(.long) ? 64 : 8)
    ) { disk in
      try SharedStore(disk, programs)
    } check: { disk, cut in
      found += 1
      if found % every == 0 { try await SharedStore.checkAgain(disk, cut) }
      try SharedStore.check(disk, cut)
    }
    print(
      "cuts of \(programs): \(tried.orders) orders, \(tried.cuts.visits) disks, the power cut again on \(found / every)"
    )
  }

  private func processes(
    _ programs: [String]
  ) -> [@Sendable (SimulatedDisk, SharedStore) throws -> Void] {
    programs.enumerated().map { process, program in
      { disk, store in try store.run(program, process, disk) }
    }
  }

  private func explore(_ programs: [String], _ explorer: InterleavingExplorer) async throws {
    let count = try await explorer.run(processes: processes(programs)) { disk in
      try SharedStore(disk, programs)
    } check: { disk, store, errors in
      try store.check(disk, errors)
    }
    print("orders of \(programs): \(count)")
  }
}
