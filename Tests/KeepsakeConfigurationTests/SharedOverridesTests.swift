#if Configuration
import Foundation
import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@testable import KeepsakeConfiguration

@Suite("Overrides that several processes write", .timeLimit(.minutes(10)))
struct SharedOverridesTests {
  static let lock: FilePath = "/var/app/overrides.plist.lock"

  @Test(
    "are all kept if the lock file is removed while they are written", arguments: [true, false])
  func removedLock(isFirst: Bool) throws {
    let disk = try Sample.disk()
    let files = InterruptedDisk(disk)
    let first = try EnvironmentConfiguration(on: files, overrides: Sample.overrides)
    let second = try EnvironmentConfiguration(on: disk, overrides: Sample.overrides)
    if !isFirst { try first.setOverride(0, for: "Old") }
    // The other process finds no lock file, and acquires the lock of a new one.
    files.beforeNextTemporaryFile {
      try? disk.remove(Self.lock)
      try? second.setOverride(2, for: "B")
    }
    try first.setOverride(1, for: "A")
    let expected: [String: PropertyList.Value] =
      isFirst ? ["A": 1, "B": 2] : ["Old": 0, "A": 1, "B": 2]
    #expect(first.overrides == expected)
    disk.notifyWatchers()
    #expect(second.overrides == expected)
    #expect(
      try EnvironmentConfiguration(on: disk, overrides: Sample.overrides).overrides == expected)
  }

  @Test("are all kept on a real disk if the lock file is removed while they are written")
  func removedLockOnDisk() throws {
    try withTemporaryDirectory { directory in
      let file = directory.appending("config.plist")
      try Data(Sample.plist.utf8).write(to: URL(filePath: file.string))
      let overrides = directory.appending("overrides.plist")
      let files = InterruptedDisk(LocalFileSystem())
      let (first, second) = (
        try EnvironmentConfiguration(on: files, file: file, overrides: overrides),
        try EnvironmentConfiguration(on: LocalFileSystem(), file: file, overrides: overrides)
      )
      var expected: [String: PropertyList.Value] = [:]
      for number in 0..<10 {
        let (key, other) = ("A\(number)", "B\(number)")
        files.beforeNextTemporaryFile {
          try? LocalFileSystem().remove(directory.appending("overrides.plist.lock"))
          try? second.setOverride(2, for: other)
        }
        try first.setOverride(1, for: key)
        expected[key] = 1
        expected[other] = 2
        #expect(first.overrides == expected)
      }
      let names = try LocalFileSystem().contents(ofDirectory: directory)
      #expect(names.sorted() == ["config.plist", "overrides.plist", "overrides.plist.lock"])
    }
  }

  @Test(
    "are all kept, in every order of their calls", .enabled(if: TestLength.isAtLeast(.standard)))
  func orders() async throws {
    let processes: [@Sendable (SimulatedDisk, [EnvironmentConfiguration]) throws -> Void] = [
      { _, configurations in try configurations[0].setOverride(1, for: "A") },
      { disk, configurations in
        try? disk.remove(Self.lock)
        try configurations[1].setOverride(2, for: "B")
      },
    ]
    let switches = TestLength.isAtLeast(.long) ? 2 : 1
    let explorer = InterleavingExplorer(switches: switches)
    let orders = try await explorer.run(processes: processes) { disk in
      try disk.write(Sample.plist.utf8, to: Sample.path)
      return try (0..<2).map { _ in
        try EnvironmentConfiguration(on: disk, overrides: Sample.overrides)
      }
    } check: { disk, configurations, errors in
      var expected: [String: PropertyList.Value] = ["A": 1, "B": 2]
      for (key, error) in zip(["A", "B"], errors) {
        guard let error else { continue }
        // The other process held the lock.
        guard ((error as? ConfigurationError)?.cause as? FileError)?.code == .resourceBusy else {
          throw error
        }
        expected[key] = nil
      }
      let kept = try EnvironmentConfiguration(on: disk, overrides: Sample.overrides).overrides
      guard kept == expected else { throw Lost(kept: kept) }
    }
    print("overrides: \(orders) orders of two writers, one of which removes the lock file")
  }
}

@Suite(
  "What a power cut, or a failed call, leaves of overrides",
  .enabled(if: TestLength.isAtLeast(.standard), "explores every cut"), .timeLimit(.minutes(10)))
struct OverridesDurabilityTests {
  /// Sets, changes and removes overrides.
  static let steps: [[String: PropertyList.Value]] = [
    [:], ["A": 1], ["A": 1, "B": ["x": 2]], ["A": 3, "B": ["x": 2]], ["B": ["x": 2]],
  ]

  static func live(
    _ files: any FileSystem, _ disk: SimulatedDisk, count: Int = steps.count
  ) throws {
    let configuration = try EnvironmentConfiguration(on: files, overrides: Sample.overrides)
    for (old, new) in zip(steps, steps.prefix(count).dropFirst()) {
      for (key, value) in new where old[key] != value {
        try configuration.setOverride(value, for: key)
      }
      for key in old.keys where new[key] == nil { try configuration.removeOverride(for: key) }
      guard configuration.overrides == new else { throw Lost(kept: configuration.overrides) }
      disk.mark("\(new.count)")
    }
  }

  static func start() throws -> SimulatedDisk { try Sample.disk() }

  /// Checks that the overrides are those of the last step that returned, or of the next.
  static func check(_ disk: SimulatedDisk, _ marks: Int) throws {
    let problems = Problems()
    let configuration = try EnvironmentConfiguration(
      on: disk, overrides: Sample.overrides, problems: problems)
    let kept = configuration.overrides
    let allowed = steps[marks..<min(marks + 2, steps.count)]
    guard problems.all.isEmpty, allowed.contains(kept) else { throw Lost(kept: kept) }
    // And that they can be changed.
    try configuration.setOverride(9, for: "Next")
    guard configuration.overrides["Next"] == 9 else { throw Lost(kept: configuration.overrides) }
  }

  @Test(
    "is the last that was set, or the next",
    arguments: [
      SimulatedDisk.Model.posix, .journaled, .processDeath,
    ])
  func cuts(model: SimulatedDisk.Model) async throws {
    let report = try await CutExplorer(model: model).run(from: try Self.start()) { disk in
      try Self.live(disk, disk)
    } check: { disk, cut in
      try Self.check(disk, cut.marks.count)
    }
    print(
      "overrides, \(model): \(report.states) distinct disk states after \(report.events) events")
    #expect(report.states > 10)
  }

  @Test("needs each flush") func flushes() async throws {
    let results = try await FlushExplorer(CutExplorer(model: .posix)).run(from: try Self.start()) {
      files, disk in
      try Self.live(files, disk)
    } check: { disk, cut in
      try Self.check(disk, cut.marks.count)
    }
    for (index, (flush, isNeeded)) in results.enumerated() where !isNeeded {
      Issue.record("no loss was found without flush \(index + 1): \(flush)")
    }
    print("overrides: \(results.count) flushes, each of which was missed when it was left out")
    #expect(results.count >= 8)
  }

  @Test("is the last that was set, or the next, if a call failed") func failures() async throws {
    // The first override creates the file, the second replaces it.
    let count = TestLength.isAtLeast(.long) ? Self.steps.count : 3
    let runs = try await FailureExplorer().run(from: try Self.start()) { disk in
      try Self.live(disk, disk, count: count)
    } check: { disk, point in
      if let lost = point.error as? Lost { throw lost }
      if let error = point.error, !(error is ConfigurationError) { throw error }
      for state in await disk.statesAfterPowerCut(samples: 6) {
        try Self.check(state, point.marks.count)
      }
    }
    print("overrides: \(runs) runs with one call failed in each")
  }
}

/// Overrides that should be others.
private struct Lost: Error {
  let kept: [String: PropertyList.Value]
}

/// A file system that does something before the next temporary file is created.
private final class InterruptedDisk<Base: FileSystem>: ForwardingFileSystem {
  let base: Base
  private let interruption = Mutex<(@Sendable () -> Void)?>(nil)

  init(_ base: Base) { self.base = base }

  func beforeNextTemporaryFile(_ body: @escaping @Sendable () -> Void) {
    interruption.withLock { $0 = body }
  }

  func open(_ path: FilePath, _ mode: FileOpenMode) throws(FileError) -> any OpenFile {
    if case .createNew = mode {
      interruption.withLock { interruption in
        defer { interruption = nil }
        return interruption
      }?()
    }
    return try base.open(path, mode)
  }
}
#endif
