import KeepsakeFiles
import KeepsakeTesting
import SystemPackage
import Testing

@Suite("A simulated disk after a power cut")
struct DiskModelTests {
  /// The possible contents of a file after a power cut; `nil` if it is missing.
  func contents(of path: FilePath, on disk: SimulatedDisk) async -> Set<[UInt8]?> {
    Set(await disk.statesAfterPowerCut().map { $0.bytes(at: path) })
  }

  /// A disk with one durable file, which is open.
  func open(
    _ content: [UInt8], _ model: SimulatedDisk.Model = .posix
  ) throws -> (SimulatedDisk, any OpenFile) {
    let disk = SimulatedDisk(model: model)
    try disk.write(content, to: "/a")
    return (disk, try disk.open("/a", .append))
  }

  @Test("An append that was not flushed may be lost, or only its size may be kept")
  func appendInOneSector() async throws {
    let (disk, file) = try open([1, 1])
    try file.writeAll([2, 2])
    #expect(await contents(of: "/a", on: disk) == [[1, 1], [1, 1, 0, 0], [1, 1, 2, 2]])
    try file.synchronize()
    #expect(await contents(of: "/a", on: disk) == [[1, 1, 2, 2]])
  }

  @Test("An append across a sector boundary may be torn there")
  func tornWrite() async throws {
    let (disk, file) = try open([UInt8](repeating: 1, count: 510))
    try file.writeAll([2, 2, 2, 2])
    let tails = Set(await contents(of: "/a", on: disk).map { $0!.dropFirst(510) })
    #expect(tails.isSuperset(of: [[], [2, 2, 2, 2], [2, 2, 0, 0], [0, 0, 2, 2], [0, 0, 0, 0]]))
    // A sector that was never written may contain anything.
    #expect(tails.contains { $0.count == 4 && $0[512] > 2 })
  }

  @Test("A journaling disk shows no size without its bytes")
  func journaledAppend() async throws {
    let (disk, file) = try open([UInt8](repeating: 1, count: 510), .journaled)
    try file.writeAll([2, 2, 2, 2])
    let tails = Set(await contents(of: "/a", on: disk).map { $0!.dropFirst(510) })
    #expect(tails == [[], [2, 2, 2, 2]])
  }

  @Test("A new file may contain bytes of a removed one")
  func garbage() async throws {
    let (disk, file) = try open([])
    try disk.write([UInt8](repeating: 9, count: 600), to: "/old")
    try disk.remove("/old")
    try disk.synchronizeDirectory("/")
    try file.writeAll([3, 3])
    #expect(await contents(of: "/a", on: disk) == [[], [0, 0], [9, 9], [3, 3]])
  }

  @Test("A truncation may be undone, and later bytes mixed with the old ones")
  func truncation() async throws {
    let (disk, file) = try open([1, 1, 1, 1])
    try file.truncate(to: 1)
    #expect(await contents(of: "/a", on: disk) == [[1], [1, 1, 1, 1]])
    try file.writeAll([2])
    let found = await contents(of: "/a", on: disk)
    #expect(found == [[1], [1, 2], [1, 0], [1, 1], [1, 1, 1, 1], [1, 2, 0, 0]])
    try file.synchronize()
    #expect(await contents(of: "/a", on: disk) == [[1, 2]])
  }

  @Test("Flushing a new file does not make its name durable")
  func nameOfFlushedFile() async throws {
    let disk = SimulatedDisk()
    let file = try disk.open("/a", .createNew(permissions: .ownerReadWrite))
    try file.writeAll([1])
    try file.synchronize()
    #expect(await contents(of: "/a", on: disk) == [nil, [1]])
    try disk.synchronizeDirectory("/")
    #expect(await contents(of: "/a", on: disk) == [[1]])
  }

  @Test("Flushing a directory keeps its names, but not its files' bytes or its own name")
  func directories() async throws {
    let disk = SimulatedDisk()
    try disk.createDirectory("/f")
    let file = try disk.open("/f/a", .createNew(permissions: .ownerReadWrite))
    try file.writeAll([1])
    try disk.synchronizeDirectory("/f")
    #expect(await contents(of: "/f/a", on: disk).isSuperset(of: [nil, [], [0], [1]]))
    try disk.synchronizeDirectory("/")
    #expect(await contents(of: "/f/a", on: disk).isSuperset(of: [[], [0], [1]]))
    #expect(!(await contents(of: "/f/a", on: disk).contains(nil)))
  }

  @Test(
    "Flushing the whole disk keeps names and bytes in all directories",
    arguments: [SimulatedDisk.Model.posix, .journaled])
  func wholeDisk(_ model: SimulatedDisk.Model) async throws {
    let disk = SimulatedDisk(model: model)
    for directory in [FilePath("/f"), "/f/g", "/h"] { try disk.createDirectory(directory) }
    let names: [FilePath] = ["/f/a", "/f/g/b", "/h/c"]
    for name in names {
      try disk.open(name, .createNew(permissions: .ownerReadWrite)).writeAll([1])
    }
    try disk.rename("/h/c", to: "/h/d")
    #expect(await disk.statesAfterPowerCut().count > 1)
    try disk.synchronizeAll(at: "/h")
    let found = await disk.statesAfterPowerCut()
    #expect(found.map(\.files) == [["/f/a": [1], "/f/g/b": [1], "/h/d": [1]]])
  }

  @Test("A rename leaves the old name, the new one or, at worst, both, but never neither")
  func rename() async throws {
    for (model, both) in [(SimulatedDisk.Model.posix, true), (.journaled, false)] {
      let (disk, _) = try open([1], model)
      try disk.rename("/a", to: "/b")
      let found = Set(await disk.statesAfterPowerCut().map { Set($0.files.keys) })
      #expect(found == (both ? [["/a"], ["/b"], ["/a", "/b"]] : [["/a"], ["/b"]]))
      try disk.synchronizeDirectory("/")
      #expect(await disk.statesAfterPowerCut().count == 1)
    }
  }

  @Test("Flushing the source directory of a rename also keeps the new name")
  func renameBetweenDirectories() async throws {
    for model in [SimulatedDisk.Model.posix, .journaled] {
      let disk = SimulatedDisk(model: model)
      try disk.write([1], to: "/x/a")
      try disk.write([2], to: "/y/b")
      try disk.rename("/x/a", to: "/y/a")
      try disk.synchronizeDirectory("/x")
      #expect(await contents(of: "/y/a", on: disk) == [[1]])
      #expect(await contents(of: "/x/a", on: disk) == [nil])
    }
  }

  @Test("A journaling disk keeps names in order; the worst case does not")
  func nameOrder() async throws {
    for (model, inOrder) in [(SimulatedDisk.Model.journaled, true), (.posix, false)] {
      let disk = SimulatedDisk(model: model)
      for name in ["/a", "/b", "/c"] {
        _ = try disk.open(FilePath(name), .createNew(permissions: .ownerReadWrite))
      }
      #expect(await disk.statesAfterPowerCut().count == (inOrder ? 4 : 8))
    }
  }

  @Test("States after many updates include every prefix, all but each one, and each alone")
  func manyUpdates() async throws {
    let disk = SimulatedDisk()
    let names = (0..<12).map { FilePath("/\($0)") }
    for name in names { _ = try disk.open(name, .createNew(permissions: .ownerReadWrite)) }
    let found = Set(await disk.statesAfterPowerCut(samples: 5).map { Set($0.files.keys) })
    for index in names.indices {
      #expect(found.contains(Set(names[..<index])))
      #expect(found.contains(Set(names).subtracting([names[index]])))
      #expect(found.contains([names[index]]))
    }
    #expect(found.contains(Set(names)))
    #expect((35...40).contains(found.count))
  }

  @Test("Bytes written past a file's later end are not part of it")
  func shrunkenAppend() async throws {
    let (disk, file) = try open([1])
    try file.writeAll([UInt8](repeating: 2, count: 1100))
    try file.truncate(to: 2)
    let found = await contents(of: "/a", on: disk)
    #expect(found.isSuperset(of: [[1], [1, 2], [1, 0]]))
    #expect(Set(found.map { $0!.count }) == [1, 2, 1101])
  }

  @Test("Writes to a file whose name is permanently removed are no longer pending")
  func removedFile() async throws {
    let (disk, file) = try open([1])
    try file.writeAll([2])
    try disk.remove("/a")
    #expect(await contents(of: "/a", on: disk).contains([1, 2]))
    try disk.synchronizeDirectory("/")
    #expect(disk.describe() == "")
  }
}
