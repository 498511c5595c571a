import KeepsakeBase
import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("A process that starts while the property list is half written in place")
struct HalfWrittenTests {
  /// An app that runs, and has the values `name`, `other` and `zero` in its property list and
  /// `late` in its journal.
  private func start(_ directory: WorkerDirectory) throws -> Worker {
    let worker = try directory.server()
    for name in ["name", "other", "zero"] { #expect(try worker.ask("set \(name) kept") == "ok") }
    #expect(try worker.ask("save") == "ok")
    #expect(try worker.ask("set late kept") == "ok")
    return worker
  }

  /// What an editor wants to write, in two halves.
  private func edit(_ directory: WorkerDirectory) throws -> (first: String, second: String) {
    let text = try directory.textOfPropertyList()
      .replacing(/(<key>zero<\/key>\s*<string>)kept/) { "\($0.output.1)by hand" }
    let middle = text.firstRange(of: "<key>other")!.upperBound
    return (String(text[..<middle]), String(text[middle...]))
  }

  private func truncate(_ directory: WorkerDirectory) throws -> FileDescriptor {
    try FileDescriptor.open(directory.propertyList, .writeOnly, options: .truncate)
  }

  private func expect(_ values: [String: String], in workers: Worker...) throws {
    for (index, worker) in workers.enumerated() {
      for (name, value) in values {
        #expect(try worker.ask("get \(name)") == value, "\(name) in worker \(index)")
      }
    }
  }

  @Test("P3, P5: waits for the editor, whose edit is heard by all") func waitsForTheEditor() throws
  {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      let worker = try start(directory)
      let halves = try edit(directory)
      let file = try truncate(directory)
      try file.writeAll(halves.first.utf8)
      let newcomer = try directory.worker("serve")
      usleep(200_000)
      try file.writeAll(halves.second.utf8)
      try file.close()
      #expect(try newcomer.readLine() == "ready")
      try waitUntil(in: directory.path) { try worker.ask("get zero") == "by hand" }
      let values = ["name": "kept", "other": "kept", "zero": "by hand", "late": "kept"]
      try expect(values, in: worker, newcomer)
      for worker in [worker, newcomer] {
        #expect(worker.problems == [])
        try worker.end()
      }
      try expect(values, in: directory.server())
    }
  }

  @Test("P3, P5: learns from those who run what the editor left out", arguments: [true, false])
  func learnsFromThoseWhoRunWhat(isRemoved: Bool) throws {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      let worker = try start(directory)
      let half = try edit(directory).first
      if isRemoved {
        try LocalFileSystem().remove(directory.propertyList)
      } else {
        let file = try truncate(directory)
        try file.closeAfter { _ = try file.writeAll(half.utf8) }
      }
      // Two that know nothing do not wait for each other.
      let newcomers = [try directory.worker("serve"), try directory.worker("serve")]
      let killed = try directory.worker("serve")
      usleep(50_000)
      killed.kill()
      for newcomer in newcomers { #expect(try newcomer.readLine() == "ready") }
      let values = ["name": "kept", "other": "kept", "zero": "kept", "late": "kept"]
      try expect(values, in: worker, newcomers[0], newcomers[1])
      for worker in newcomers + [worker] { worker.kill() }
      try expect(values, in: directory.server())
      let aside = FilePath(directory.propertyList.string + ".unreadable-1")
      #expect(
        try LocalFileSystem().readFile(at: aside) == (isRemoved ? nil : Array(half.utf8)))
    }
  }

  @Test("P3: recovers what it can when those who knew more are killed")
  func recoversWhatItCanWhenThoseWho() throws {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      let worker = try start(directory)
      let half = try edit(directory).first
      let file = try truncate(directory)
      try file.writeAll(half.utf8)
      let newcomers = [try directory.worker("serve"), try directory.worker("serve")]
      usleep(50_000)
      worker.kill()
      for newcomer in newcomers { #expect(try newcomer.readLine() == "ready") }
      try file.close()
      // The journal outlived the one who wrote it.
      try expect(["name": "kept", "late": "kept"], in: newcomers[0], newcomers[1])
      #expect(newcomers.flatMap(\.problems).count == 1)
      let aside = FilePath(directory.propertyList.string + ".unreadable-1")
      #expect(try LocalFileSystem().readFile(at: aside) == Array(half.utf8))
    }
  }

  @Test(
    "P1, P5: killed with all others at any moment leaves no less than there was",
    .enabled(if: TestLength.isAtLeast(.standard), "takes long without optimization"))
  func killedWithAllOthersAtAnyMoment() throws {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      var random = SeededRandom(seed: 7)
      for round in 0..<10 {
        let worker = try start(directory)
        #expect(try worker.ask("set late \(round)") == "ok")
        let text = try directory.textOfPropertyList()
        let half = try edit(directory).first
        let file = try truncate(directory)
        try file.closeAfter { _ = try file.writeAll(half.utf8) }
        let newcomer = try directory.worker("serve")
        usleep(UInt32(random.next() % 1_500_000))
        for worker in [newcomer, worker].shuffled(using: &random) { worker.kill() }
        // What was not written again yet, the editor writes.
        if try directory.textOfPropertyList() == half {
          try LocalFileSystem().replaceFile(at: directory.propertyList, with: Array(text.utf8))
        }
        let next = try directory.server()
        try expect(["name": "kept", "other": "kept", "zero": "kept", "late": "\(round)"], in: next)
        #expect(next.problems == [])
        try next.end()
      }
    }
  }
}
