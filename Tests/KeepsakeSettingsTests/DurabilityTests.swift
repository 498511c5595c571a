import KeepsakeBase
import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

/// A workload of a settings store that records its progress, so that what a power cut leaves can be
/// checked against it.
private struct Workload {
  static let container = AppContainer(root: "/app", identifier: "com.example.Life")
  static let count = SettingsKey("count", default: -1)
  static let name = SettingsKey("name", default: "none")
  static let one = SettingsKey("one", default: -1)
  static let two = SettingsKey("two", default: -1)
  static let gone = SettingsKey<Int?>("gone")

  /// The values of all keys.
  struct Values: Hashable, CustomStringConvertible {
    var count = -1
    var name = "none"
    var pair = [-1, -1]
    var gone: Int?

    var description: String {
      "count \(count), name of \(name.utf8.count) (\(name.prefix(1))), pair \(pair), gone \(gone ?? 0)"
    }
  }

  /// The values after each mark.
  var history = [Values()]
  /// The mark up to which everything is synchronized.
  var synchronized: [Int] = [0]

  static func open(_ disk: any FileSystem) throws -> (SettingsStore, Problems) {
    let problems = Problems()
    let store = try SettingsStore(
      file: container.preferencesFile(), fileSystem: disk, isAutomatic: false
    ) { problem in problems.add(problem) }
    return (store, problems)
  }

  static func read(_ store: SettingsStore) -> Values {
    Values(
      count: store[count], name: store[name], pair: [store[one], store[two]], gone: store[gone])
  }

  /// Records a change that returned.
  mutating func did(_ disk: SimulatedDisk, _ change: (inout Values) -> Void) {
    var values = history.last!
    change(&values)
    history.append(values)
    synchronized.append(synchronized.last!)
    disk.mark("\(history.count - 1)")
  }

  /// Records that everything so far is synchronized.
  mutating func didSynchronize(_ disk: SimulatedDisk, by means: String) {
    synchronized.append(history.count - 1)
    history.append(history.last!)
    disk.mark("\(history.count - 1) synchronized by \(means)")
  }

  /// Runs steps that a seed determines: sets, transactions, removals, repeated values, and
  /// sometimes a synchronization, a save or a restart.
  ///
  /// - Parameter continuesAfterErrors: Whether to skip a change that is refused.
  mutating func run(
    _ seed: UInt64, _ files: any FileSystem, _ disk: SimulatedDisk,
    continuesAfterErrors: Bool = false
  ) throws {
    var random = SeededRandom(seed: seed)
    // Two processes alternate at random.
    var stores = [try Self.open(files).0, try Self.open(files).0]
    for step in 0..<70 {
      let index = Int.random(in: 0..<2, using: &random)
      do {
        try performStep(step, &stores[index], &random, files, disk)
      } catch {
        if !continuesAfterErrors { throw error }
        // No change notification arrives here: an empty transaction reads what the other store
        // changed.
        try stores[index].transaction { _ in }
        let found = Self.read(stores[index])
        guard found == history.last else {
          throw Broken("a refused change was seen: \(found) instead of \(history.last!)")
        }
      }
    }
  }

  /// Runs a short workload that needs each of its flushes.
  ///
  /// - Returns: The store; releasing it would flush once more.
  mutating func runBriefly(
    _ files: any FileSystem, _ disk: SimulatedDisk
  ) throws -> SettingsStore {
    let (store, _) = try Self.open(files)
    for (round, name) in ["long ago", "lately"].enumerated() {
      // A value is set again: the one in between must not reappear.
      for count in [round, 2, round] {
        try store.set(count, for: Self.count)
        did(disk) { $0.count = count }
      }
      try store.synchronizeAndWait()
      didSynchronize(disk, by: "a flush")
      for count in [2, round] {
        try store.set(count, for: Self.count)
        did(disk) { $0.count = count }
      }
      try store.set(name, for: Self.name)
      did(disk) { $0.name = name }
      try store.save()
      didSynchronize(disk, by: "a save")
    }
    try store.set(3, for: Self.count)
    did(disk) { $0.count = 3 }
    try store.synchronizeAndWait()
    didSynchronize(disk, by: "a flush")
    return store
  }

  private mutating func performStep(
    _ step: Int, _ store: inout SettingsStore, _ random: inout SeededRandom,
    _ files: any FileSystem, _ disk: SimulatedDisk
  ) throws {
    switch Int.random(in: 0..<24, using: &random) {
    case 0..<8:
      let count = Int.random(in: 0..<4, using: &random)
      try store.set(count, for: Self.count)
      did(disk) { $0.count = count }
    case 8..<14:
      let letter = ["a", "b", "c", "d"].randomElement(using: &random)!
      let name = String(repeating: letter, count: .random(in: 0..<1500, using: &random))
      try store.set(name, for: Self.name)
      did(disk) { $0.name = name }
    case 14..<18:
      try store.transaction { settings in
        settings[Self.one] = step
        settings[Self.two] = step
      }
      did(disk) { $0.pair = [step, step] }
    case 18..<20:
      let gone = Bool.random(using: &random) ? step : nil
      try store.set(gone, for: Self.gone)
      did(disk) { $0.gone = gone }
    case 20..<22:
      try store.transaction { _ in }
      try store.synchronizeAndWait()
      didSynchronize(disk, by: "a flush")
    case 22:
      try store.save()
      didSynchronize(disk, by: "a save")
    default:
      // A process saves and ends, and another one starts.
      try store.save()
      store = try Self.open(files).0
      didSynchronize(disk, by: "an end")
    }
  }

  /// Checks what a store contains after a cut at the end of the workload.
  func checkAfterCut(_ disk: SimulatedDisk) throws {
    let (store, _) = try Self.open(disk)
    let found = Self.read(store)
    let possible = history[synchronized.last!...]
    guard possible.contains(where: { $0.count == found.count }),
      possible.contains(where: { $0.name == found.name }),
      possible.contains(where: { $0.pair == found.pair }),
      possible.contains(where: { $0.gone == found.gone })
    else { throw Broken("after a cut: found \(found); possible were \(Array(possible))") }
  }

  /// Checks what a store contains after a cut: for each key, a value since the last
  /// synchronization, or the one that was being set.
  func check(_ disk: SimulatedDisk, _ cut: CutExplorer.Point, losesUnsynchronized: Bool) throws {
    let (store, problems) = try Self.open(disk)
    let last = cut.marks.count
    let earliest = losesUnsynchronized ? synchronized[last] : last
    let possible = history[earliest...min(last + 1, history.count - 1)]
    let found = Self.read(store)
    guard possible.contains(where: { $0.count == found.count }),
      possible.contains(where: { $0.name == found.name }),
      possible.contains(where: { $0.pair == found.pair }),
      possible.contains(where: { $0.gone == found.gone })
    else { throw Broken("found \(found); possible were \(Array(possible))") }
    // If bytes that were not flushed are lost, a part of the journal may be, never the property list.
    if let problem = problems.all.first(where: { problem in
      problem.code == .damaged
        && (problem.file?.extension == "plist" || !losesUnsynchronized)
    }) {
      throw Broken("a file that cannot be read: \(problem)")
    }
    // A repaired store works like a new one.
    try store.set(99, for: Self.count)
    let (again, _) = try Self.open(disk.restarted())
    var expected = found
    expected.count = 99
    guard Self.read(again) == expected else {
      throw Broken("\(expected) was lost after the repair: \(Self.read(again))")
    }
  }
}

struct Broken: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

@Suite(
  "P1 and P2: What a power cut leaves of a settings store",
  .enabled(if: TestLength.isAtLeast(.standard), "explores every cut"))
struct DurabilityTests {
  @Test(
    "Nothing that was synchronized is lost or replaced by an older value",
    arguments: [SimulatedDisk.Model.posix, .journaled, .processDeath])
  func powerCuts(_ model: SimulatedDisk.Model) async throws {
    var states = 0
    var events = 0
    for seed in 1...7 as ClosedRange<UInt64> {
      var workload = Workload()
      let stage = SimulatedDisk()
      try workload.run(seed, stage, stage)
      let report = try await CutExplorer(model: model, samples: 200, seed: seed).run { disk in
        var workload = Workload()
        try workload.run(seed, disk, disk)
      } check: { [workload] disk, cut in
        try workload.check(disk, cut, losesUnsynchronized: model != .processDeath)
      }
      states += report.states
      events += report.events
    }
    print("settings, \(model): \(states) distinct disk states after \(events) events")
  }

  @Test("Each flush of a synchronization, a save and an opening is needed")
  func neededFlushes() async throws {
    var known = Workload()
    let stage = SimulatedDisk()
    _ = try known.runBriefly(stage, stage)
    var stores: [SettingsStore] = []
    let results = try await FlushExplorer(CutExplorer(model: .posix)).run { files, disk in
      var workload = Workload()
      stores.append(try workload.runBriefly(files, disk))
    } check: { [known] disk, cut in
      try known.check(disk, cut, losesUnsynchronized: true)
    }
    for (flush, isNeeded) in results where !isNeeded {
      Issue.record("no loss was found without: \(flush)")
    }
    print("settings: \(results.count) flushes, left out one at a time")
  }
}

@Suite(
  "P1, P3 and P4: What a failed call leaves of a settings store",
  .enabled(if: TestLength.isAtLeast(.standard), "fails every call"))
struct FailedCallTests {
  @Test(
    "A refused change is not made, and every other change is",
    arguments: 1...(TestLength.isAtLeast(.long) ? 40 : 2) as ClosedRange<UInt64>)
  func failedCalls(_ seed: UInt64) async throws {
    var workload = Workload()
    let runs = try await FailureExplorer(model: .posix).run { disk in
      workload = Workload()
      try workload.run(seed, disk, disk, continuesAfterErrors: true)
    } check: { disk, point in
      let restarted = disk.restarted()
      let (store, _) = try Workload.open(restarted)
      let found = Workload.read(store)
      guard found == workload.history.last else {
        throw Broken("found \(found), and \(workload.history.last!) was acknowledged")
      }
      for state in await disk.statesAfterPowerCut(samples: 20, seed: seed) {
        try workload.checkAfterCut(state)
      }
    }
    print("settings: \(runs) runs with one failed call each")
  }
}
