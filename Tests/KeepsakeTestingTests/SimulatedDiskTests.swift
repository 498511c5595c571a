import KeepsakeBase
import KeepsakeFiles
import KeepsakeTesting
import SystemPackage
import Testing

@Suite("Simulated disk")
struct SimulatedDiskTests {
  let disk = SimulatedDisk()

  @Test("A removed file stays usable for a process that has it open")
  func removedFile() throws {
    try disk.write([1], to: "/a")
    let file = try disk.open("/a", .append)
    let information = try #require(try disk.information(at: "/a"))
    #expect(try file.information() == information)
    try disk.write([2], to: "/a")
    try file.writeAll([3])
    #expect(try file.readAll() == [1, 3])
    #expect(try file.information().linkCount == 0)
    #expect(disk.bytes(at: "/a") == [2])
    #expect(try disk.information(at: "/a")?.identity != information.identity)
  }

  @Test("Users of a lock see each other, and it is released with its holder")
  func lockParts() throws {
    let other = try disk.lock(at: "/lock")
    try other.announceUser()
    #expect(try !other.hasOtherUsers)
    do {
      let holder = try disk.lock(at: "/lock")
      #expect(try holder.hasOtherUsers)
      #expect(try !other.hasOtherUsers)
      try holder.announceUser()
      #expect(try other.hasOtherUsers)
      try holder.acquire()
      let error = #expect(throws: FileError.self) { try other.acquire(0, timeout: .zero) }
      #expect(error?.code == .resourceBusy)
      try other.acquire(1, timeout: .zero)
    }
    #expect(try !other.hasOtherUsers)
    try other.acquire(0, timeout: .zero)
    #expect(try disk.contents(ofDirectory: "/") == ["lock"])
  }

  @Test("A lock excludes other threads")
  func lockExcludesThreads() async throws {
    try disk.write([0, 0], to: "/count")
    await withTaskGroup { group in
      for _ in 1...4 {
        group.addTask { [disk] in
          let lock = try! disk.lock(at: "/lock")
          for _ in 1...100 {
            try! lock.acquire(0, timeout: .seconds(60))
            let count = disk.bytes(at: "/count")!
            let next = Int(count[0]) * 256 + Int(count[1]) + 1
            try! disk.write([UInt8(next / 256), UInt8(next % 256)], to: "/count")
            lock.release()
          }
        }
      }
    }
    #expect(disk.bytes(at: "/count") == [400 / 256, 400 % 256])
  }

  @Test("Watchers receive others' changes at once, and their own when the test asks for it")
  func watch() throws {
    let changes = Mutex<[DirectoryChanges]>([])
    try disk.write([1], to: "/f/a")
    var watch: (any FileWatch)? = try disk.watch(directory: "/f") { change in
      changes.withLock { $0.append(change) }
    }
    try disk.write([2], to: "/f/a")
    #expect(changes.withLock { $0 } == [.names(["a"])])
    try disk.open("/f/a", .append).writeAll([3])
    try disk.rename("/f/a", to: "/f/b")
    #expect(changes.withLock { $0.count } == 1)
    disk.notifyWatchers()
    disk.notifyWatchers()
    #expect(changes.withLock { $0 } == [.names(["a"]), .names(["a", "b"])])
    watch = nil
    try disk.write([1], to: "/f/c")
    #expect(changes.withLock { $0.count } == 2)
    _ = watch
  }

  @Test("A damaged byte stays damaged")
  func corruption() async throws {
    try disk.write([1, 2, 3], to: "/a")
    disk.corrupt("/a", at: 1, xor: 0x80)
    #expect(disk.bytes(at: "/a") == [1, 0x82, 3])
    let found = await disk.statesAfterPowerCut()
    #expect(found.map { $0.bytes(at: "/a") } == [[1, 0x82, 3]])
    #expect(disk.describe().hasPrefix("/a, 3 bytes"))
  }
}
