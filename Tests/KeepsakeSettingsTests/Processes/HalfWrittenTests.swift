import KeepsakeBase
import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("Processes that start while the property list is being written in place")
struct HalfWrittenTests {
  /// A running app that has the values `name`, `other` and `zero` in its property list and `late`
  /// in its journal.
  private func start(_ directory: WorkerDirectory) throws -> Worker {
    let worker = try directory.server()
    for name in ["name", "other", "zero"] { #expect(try worker.ask("set \(name) kept") == "ok") }
    #expect(try worker.ask("save") == "ok")
    #expect(try worker.ask("set late kept") == "ok")
    return worker
  }

  /// The text that an editor writes, in two halves.
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

  @Test("P3, P5: A new process waits for the editor, and all processes receive the edit")
  func slowEditor() throws {
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

  @Test(
    "P3, P5: A new process receives what the editor left out from running ones",
    arguments: [true, false])
  func incompleteEdit(isRemoved: Bool) throws {
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
      // Two new processes do not wait for each other.
      let newcomers = [try directory.worker("serve"), try directory.worker("serve")]
      let killed = try directory.worker("serve")
      usleep(50_000)
      killed.kill()
      for newcomer in newcomers { #expect(try newcomer.readLine() == "ready") }
      let values = ["name": "kept", "other": "kept", "zero": "kept", "late": "kept"]
      try expect(values, in: worker, newcomers[0], newcomers[1])
      for worker in newcomers + [worker] { worker.kill() }
      try expect(values, in: directory.server())
      let quarantineFile = FilePath(directory.propertyList.string + ".unreadable-1")
      #expect(
        try LocalFileSystem().readFile(at: quarantineFile) == (isRemoved ? nil : Array(half.utf8)))
    }
  }

  @Test("P3: A new process recovers what it can if the running one is killed")
  func recovery() throws {
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
      // The journal remains after its writer.
      try expect(["name": "kept", "late": "kept"], in: newcomers[0], newcomers[1])
      #expect(newcomers.flatMap(\.problems).count == 1)
      let quarantineFile = FilePath(directory.propertyList.string + ".unreadable-1")
      #expect(try LocalFileSystem().readFile(at: quarantineFile) == Array(half.utf8))
    }
  }

  @Test(
    "P1, P5: Killing all processes at any moment loses nothing",
    .enabled(if: TestLength.isAtLeast(.standard), "takes long without optimization"))
  func killedProcesses() throws {
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
        // The editor writes what no process has written again yet.
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
