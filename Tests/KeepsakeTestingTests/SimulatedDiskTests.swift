import KeepsakeBase
import KeepsakeFiles
import KeepsakeTesting
import SystemPackage
import Testing

@Suite("A simulated disk in use")
struct SimulatedDiskTests {
  let disk = SimulatedDisk()

  @Test("A file that lost its name is there for whoever has it open")
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

  @Test("A coordination is shared by those who have it open, and ends with them")
  func coordination() throws {
    let rings = Mutex(0)
    do {
      let one = try disk.coordinator(at: "/lock")
      let other = try disk.coordinator(at: "/lock")
      #expect(one.position == nil)
      for coordinator in [one, other] {
        try coordinator.onDoorbell { rings.withLock { $0 += 1 } }
      }
      for end in Int64(1)...2 {
        try one.lock()
        one.publish(SharedPosition(generation: 5, end: end))
        one.unlock()
        #expect(other.position == SharedPosition(generation: 5, end: end))
      }
      // The bell was armed once, and is the other's alone.
      #expect(rings.withLock { $0 } == 1)
    }
    #expect(try disk.coordinator(at: "/lock").position == nil)
    #expect(try disk.contents(ofFolder: "/") == ["lock"])
  }

  @Test("The lock keeps threads apart")
  func lock() async throws {
    try disk.write([0, 0], to: "/count")
    await withTaskGroup { group in
      for _ in 1...4 {
        group.addTask { [disk] in
          let coordinator = try! disk.coordinator(at: "/lock")
          for _ in 1...100 {
            try! coordinator.lock()
            let count = disk.bytes(at: "/count")!
            let next = Int(count[0]) * 256 + Int(count[1]) + 1
            try! disk.write([UInt8(next / 256), UInt8(next % 256)], to: "/count")
            coordinator.unlock()
          }
        }
      }
    }
    #expect(disk.bytes(at: "/count") == [400 / 256, 400 % 256])
  }

  @Test("Watchers hear of others' changes at once, of their own when the test says so")
  func watch() throws {
    let news = Mutex(0)
    try disk.write([1], to: "/f/a")
    var watch: (any FileWatch)? = try disk.watch(folder: "/f") { news.withLock { $0 += 1 } }
    try disk.write([2], to: "/f/a")
    #expect(news.withLock { $0 } == 1)
    try disk.open("/f/a", .append).writeAll([3])
    try disk.rename("/f/a", to: "/f/b")
    #expect(news.withLock { $0 } == 1)
    disk.tellWatchers()
    disk.tellWatchers()
    #expect(news.withLock { $0 } == 2)
    watch = nil
    try disk.write([1], to: "/f/c")
    #expect(news.withLock { $0 } == 2)
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
