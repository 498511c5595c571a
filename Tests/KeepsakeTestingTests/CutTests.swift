import KeepsakeFiles
import KeepsakeTesting
import SystemPackage
import Testing

@Suite("P2: A power cut loses what was not flushed, and the explorer detects it")
struct CutTests {
  @Test(
    "A durable writer passes", arguments: [SimulatedDisk.Model.posix, .journaled, .processDeath])
  func durableWriter(_ model: SimulatedDisk.Model) async throws {
    let report = try await Writer().explore(model)
    #expect(report.events == 5)
    #expect(report.states >= 3)
    #expect(report.visits >= report.states)
  }

  @Test("A missing flush before a rename is detected, as it can leave the file torn")
  func missingFileFlush() async throws {
    let failure = try await #require(throws: ExplorationFailure.self) {
      _ = try await Writer(flushesFile: false).explore(.posix)
    }
    #expect(failure.reason as? Loss == .torn)
  }

  @Test("A missing flush after a rename is detected, as it can lose the rename")
  func missingDirectoryFlush() async throws {
    for model in [SimulatedDisk.Model.posix, .journaled] {
      let failure = try await #require(throws: ExplorationFailure.self) {
        _ = try await Writer(flushesDirectory: false).explore(model)
      }
      #expect(failure.reason as? Loss == .old)
      #expect(failure.point.contains("replaced"))
    }
  }

  @Test("A journaling disk writes a file's bytes before its name replaces another")
  func journaledOrder() async throws {
    _ = try await Writer(flushesFile: false).explore(.journaled)
  }

  @Test("Leaving out any flush of a durable writer is detected")
  func everyFlushIsNeeded() async throws {
    let results = try await FlushExplorer(CutExplorer(model: .posix)).run(from: Writer.start()) {
      try Writer().replace(with: Writer.new, in: $0, on: $1)
    } check: { disk, cut in
      try Writer.check(disk, cut)
    }
    #expect(results.map(\.flush.description) == ["synchronize '/new'", "synchronize '/'"])
    #expect(results.map(\.isNeeded) == [true, true])
  }

  @Test("A flush of the whole disk replaces one of each file, and its absence is detected")
  func wholeDiskFlush() async throws {
    let paths = ["a", "b", "c"].map { FilePath("/\($0)") }
    let results = try await FlushExplorer(CutExplorer(model: .posix)).run { files, disk in
      for path in paths {
        try files.open(FilePath("\(path).new"), .createNew(permissions: .ownerReadWrite))
          .writeAll(Writer.new)
      }
      try files.synchronizeAll(at: "/")
      for path in paths { try files.rename(FilePath("\(path).new"), to: path) }
      try files.synchronizeDirectory("/")
      disk.mark("saved")
    } check: { disk, cut in
      for path in paths {
        guard let found = disk.bytes(at: path) else {
          if cut.marks.isEmpty { continue }
          throw Loss.missing
        }
        if found != Writer.new { throw Loss.torn }
      }
    }
    #expect(results.map(\.flush.description) == ["synchronize '/'", "synchronize '/'"])
    #expect(results.map(\.isNeeded) == [true, true])
  }

  @Test("FileSystem.replaceFile needs each of its flushes")
  func replaceFile() async throws {
    let results = try await FlushExplorer(CutExplorer(model: .posix)).run(from: Writer.start()) {
      try $0.replaceFile(at: Writer.path, with: Writer.new)
      $1.mark("replaced")
    } check: { disk, cut in
      try Writer.check(disk, cut)
    }
    #expect(results.map(\.isNeeded) == [true, true])
  }

  @Test("A dying process loses no completed call, but its last write may be partial")
  func processDeath() async throws {
    let unflushed = Writer(flushesFile: false, flushesDirectory: false)
    _ = try await unflushed.explore(.processDeath)

    var sizes: [Set<Int>] = [[], []]
    _ = try await CutExplorer(model: .processDeath).run { disk in
      let file = try disk.open("/a", .createNew(permissions: .ownerReadWrite))
      try file.writeAll([UInt8](repeating: 7, count: 1200))
      disk.mark("written")
    } check: { disk, cut in
      sizes[cut.marks.count].insert(disk.bytes(at: "/a")?.count ?? -1)
    }
    #expect(sizes == [[-1, 0, 512, 1024, 1200], [1200]])
  }

  @Test("After a power cut, all that is found is durable, and no lock is held")
  func statesAreNewDisks() async throws {
    _ = try await CutExplorer(model: .posix).run { disk in
      let lock = try disk.lock(at: "/lock")
      try lock.acquire()
      try lock.announceUser()
      try Writer().replace(with: Writer.new, in: disk, on: disk)
    } check: { disk, _ in
      let lock = try disk.lock(at: "/lock")
      #expect(try !lock.hasOtherUsers)
      try lock.acquire(0, timeout: .zero)
      #expect(await disk.statesAfterPowerCut().count == 1)
    }
  }

  @Test("Exploration is deterministic, even with many pending updates")
  func determinism() async throws {
    func explore(seed: UInt64) async throws -> CutExplorer.Report {
      try await CutExplorer(model: .posix, seed: seed).run { disk in
        let file = try disk.open("/a", .createNew(permissions: .ownerReadWrite))
        for byte in UInt8(1)...20 { try file.writeAll([UInt8](repeating: byte, count: 300)) }
      } check: { _, _ in
      }
    }
    let report = try await explore(seed: 1)
    let again = try await explore(seed: 1)
    let other = try await explore(seed: 2)
    #expect(again == report)
    #expect(other != report)
    #expect(report.states > 900)
  }
}
