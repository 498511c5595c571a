import KeepsakeFiles
import KeepsakeTesting
import SystemPackage
import Testing

@Suite("P4: A simulated disk fails as requested")
struct FailureTests {
  @Test("Bytes that a failed flush did not write are lost, although the next one succeeds")
  func failedFlush() async throws {
    let disk = try Writer.start()
    let file = try disk.open(Writer.path, .append)
    try file.writeAll([UInt8](repeating: 2, count: 1000))
    disk.fail(call: 3, with: .ioError)
    #expect(throws: FileError(.synchronize, Writer.path, .ioError)) { try file.synchronize() }
    try file.synchronize()
    #expect(disk.bytes(at: Writer.path)?.count == 1700)
    let found = await disk.statesAfterPowerCut()
    #expect(found.map { $0.bytes(at: Writer.path) } == [Writer.old])
  }

  @Test("Bytes that a failed flush of the whole disk did not write are permanently lost")
  func failedWholeFlush() async throws {
    let disk = try Writer.start()
    let file = try disk.open(Writer.path, .append)
    try file.writeAll([2])
    _ = try disk.open("/new", .createNew(permissions: .ownerReadWrite))
    disk.fail(call: 4, with: .interrupted)
    disk.fail(call: 5, with: .ioError)
    for code in [Errno.interrupted, .ioError] {
      #expect(throws: FileError(.synchronize, "/", code)) { try disk.synchronizeAll(at: "/") }
    }
    try disk.synchronizeAll(at: "/")
    #expect(Set(disk.files.keys) == [Writer.path, "/new"])
    let found = await disk.statesAfterPowerCut()
    #expect(found.map(\.files) == [[Writer.path: Writer.old]])
  }

  @Test("An interrupted flush can be repeated")
  func interruptedFlush() async throws {
    let disk = try Writer.start()
    let file = try disk.open(Writer.path, .append)
    try file.writeAll([2])
    disk.fail(call: 3, with: .interrupted)
    #expect(throws: FileError.self) { try file.synchronize() }
    try file.synchronize()
    let found = await disk.statesAfterPowerCut()
    #expect(found.map { $0.bytes(at: Writer.path) } == [Writer.old + [2]])
  }

  @Test("A rename whose new name a failed flush lost does not lose the file")
  func failedDirectoryFlush() async throws {
    let disk = SimulatedDisk()
    try disk.write([1], to: "/x/a")
    try disk.write([2], to: "/y/b")
    try disk.rename("/x/a", to: "/y/a")
    disk.fail(call: 2, with: .ioError)
    #expect(throws: FileError.self) { try disk.synchronizeDirectory("/y") }
    for directory in ["/y", "/x"] { try disk.synchronizeDirectory(FilePath(directory)) }
    let found = await disk.statesAfterPowerCut()
    #expect(found.map(\.files) == [["/x/a": [1], "/y/b": [2]]])
  }

  @Test("A full disk writes part of the bytes, and partial calls do part of their work")
  func partialCalls() throws {
    let disk = SimulatedDisk()
    let file = try disk.open("/a", .createNew(permissions: .ownerReadWrite))
    disk.fail(call: 2, with: .noSpace)
    #expect(throws: FileError(.write, "/a", .noSpace)) { try file.writeAll([1, 2, 3, 4]) }
    #expect(disk.bytes(at: "/a") == [1, 2])
    disk.fail(call: 3, with: .partial)
    try file.writeAll([5, 6, 7])
    #expect(disk.bytes(at: "/a") == [1, 2, 5, 6, 7])
    #expect(disk.calls.count == 4)
    disk.fail(call: 6, with: .partial)
    #expect(try file.readAll() == [1, 2, 5, 6, 7])
    #expect(disk.calls.count == 7)
  }

  @Test("An operation fails until failures are stopped")
  func failAlways() throws {
    let disk = try Writer.start()
    disk.failAlways(.open, with: .noSpace)
    for _ in 1...2 {
      #expect(throws: FileError(.open, Writer.path, .noSpace)) {
        _ = try disk.open(Writer.path, .read)
      }
    }
    disk.stopFailing()
    #expect(try disk.open(Writer.path, .read).readAll() == Writer.old)
  }

  @Test("Each call fails once in each way")
  func explorer() async throws {
    var failed: Set<String> = []
    let runs = try await FailureExplorer().run(from: Writer.start()) { disk in
      try Writer().replace(with: Writer.new, in: disk, on: disk)
    } check: { disk, point in
      failed.insert("\(point.number) \(point.failure)")
      #expect((point.error == nil) == point.marks.contains("replaced"))
      let found = disk.bytes(at: Writer.path)
      #expect(found == Writer.new || found == Writer.old && point.error != nil)
      for state in await disk.statesAfterPowerCut() where point.error == nil {
        #expect(state.bytes(at: Writer.path) == Writer.new)
      }
    }
    // Five calls in four ways; the write is also cut short without an error.
    #expect(runs == 1 + 5 * 4 + 1)
    #expect(failed.count == runs - 1)
  }
}
