import Dispatch
import KeepsakeBase
import KeepsakeTestSupport
import SystemPackage
import Testing

@testable import KeepsakeFiles

@Suite struct `Those who coordinate` {
  /// Makes a file that holds the number 0.
  private func makeCounter(in folder: FilePath) throws -> FilePath {
    let path = folder.appending("counter")
    try LocalFileSystem().replaceFile(at: path, with: [UInt8](repeating: 0, count: 8))
    return path
  }

  private func number(in path: FilePath) throws -> UInt64 {
    try LocalFileSystem().readFile(at: path)!.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
  }

  @Test func `P5: as four processes never hold the lock at once`() throws {
    try withTemporaryFolder { folder in
      let counter = try makeCounter(in: folder)
      let lock = folder.appending("lock")
      let workers = try (0..<4).map { _ in
        try Worker(["coordinate", lock.string, counter.string, "3000"])
      }
      for worker in workers {
        while try worker.readLine() != nil {}
        #expect(worker.wait() == 0)
      }
      #expect(try number(in: counter) == 12_000)
    }
  }

  @Test func `P5: as four processes that are killed and come again never hold the lock at once`()
    throws
  {
    try withTemporaryFolder { folder in
      let counter = try makeCounter(in: folder)
      let lock = folder.appending("lock")
      var random = SeededRandom(seed: 3)
      var counted = 0
      let start = { try Worker(["coordinate", lock.string, counter.string, "1000000000"]) }
      var workers = try (0..<4).map { _ in try start() }
      let kills = 60
      for _ in 0..<kills {
        let victim = Int(random.next() % 4)
        // Whoever died with the lock has given it on when another's count is heard of.
        #expect(try workers[victim].readLine() == "one")
        counted += 1
        for worker in workers { counted += try worker.readLines().count }
        workers[victim].kill()
        while try workers[victim].readLine() != nil { counted += 1 }
        // The newcomer may be given the dead one's place while others wait for its lock.
        workers[victim] = try start()
      }
      for worker in workers {
        #expect(try worker.readLine() == "one")
        counted += 1
        worker.kill()
        while try worker.readLine() != nil { counted += 1 }
      }
      let total = try Int(number(in: counter))
      // Each kill may fall between a count and the line that tells of it.
      #expect((counted...counted + kills + 4).contains(total))
      print("kills: \(kills + 4) (of those who coordinate)")
    }
  }

  @Test func `P5: as eight threads never hold the lock at once`() throws {
    try withTemporaryFolder { folder in
      let coordinators = try (0..<8).map { _ in
        try LocalFileSystem().coordinator(at: folder.appending("lock"))
      }
      let holders = Atomic<Int>(0)
      let faults = Atomic<Int>(0)
      DispatchQueue.concurrentPerform(iterations: 8) { thread in
        for _ in 0..<2000 {
          guard (try? coordinators[thread].lock()) != nil else {
            faults.add(1, ordering: .relaxed)
            continue
          }
          if holders.add(1, ordering: .relaxed).newValue != 1 { faults.add(1, ordering: .relaxed) }
          holders.subtract(1, ordering: .relaxed)
          coordinators[thread].unlock()
        }
      }
      #expect(faults.load(ordering: .relaxed) == 0)
    }
  }

  @Test func `P5: take over from one that died, and believe nothing that it published`() throws {
    try withTemporaryFolder { folder in
      let lock = folder.appending("lock")
      let coordinator = try LocalFileSystem().coordinator(at: lock)
      for _ in 0..<20 {
        let holder = try Worker(["lock", lock.string])
        #expect(try holder.readLine() == "locked")
        #expect(coordinator.position == SharedPosition(generation: 7, end: 77))
        holder.kill()
        try coordinator.lock()
        #expect(coordinator.position == nil)
        coordinator.publish(SharedPosition(generation: 1, end: 2))
        coordinator.unlock()
        #expect(coordinator.position == SharedPosition(generation: 1, end: 2))
      }
    }
  }

  @Test func `P5: find the lock free that the one before in their place died with`() throws {
    try withTemporaryFolder { folder in
      let lock = folder.appending("lock")
      // Somebody stays, so that the page is not begun anew.
      let witness = try LocalFileSystem().coordinator(at: lock)
      for _ in 0..<20 {
        let holder = try Worker(["lock", lock.string])
        #expect(try holder.readLine() == "locked")
        holder.kill()
        let newcomer = try LocalFileSystem().coordinator(at: lock)
        #expect(newcomer.position == nil)
        for coordinator in [witness, newcomer] {
          let isTaken = DispatchSemaphore(value: 0)
          let queue = DispatchQueue(label: "another")
          queue.async {
            guard (try? coordinator.lock()) != nil else { return }
            coordinator.unlock()
            isTaken.signal()
          }
          // A lock that nobody gives back would be waited for without end.
          try #require(isTaken.wait(timeout: .now() + 60) == .success)
          // The queue keeps the coordinator, and its place, no longer than this.
          queue.sync {}
        }
      }
    }
  }

  @Test func `P5: wait for one that lives`() throws {
    try withTemporaryFolder { folder in
      let lock = folder.appending("lock")
      let holder = try Worker(["lock", lock.string])
      #expect(try holder.readLine() == "locked")
      let waiter = try Worker(["lock", lock.string])
      // However often it asks whether the holder lives, it does.
      #expect(try waiter.readLines() == [])
      #expect(try holder.ask("go on") == "unlocked")
      #expect(try waiter.readLine() == "locked")
    }
  }

  @Test func `P12: start anew after whatever was left in the file`() throws {
    try withTemporaryFolder { folder in
      let lock = folder.appending("lock")
      for junk in [
        [], [1], [UInt8](repeating: 0xFF, count: 100), [UInt8](repeating: 0xFF, count: 9000),
      ] as [[UInt8]] {
        try LocalFileSystem().replaceFile(at: lock, with: junk)
        let coordinator = try LocalFileSystem().coordinator(at: lock)
        #expect(coordinator.position == nil)
        try coordinator.lock()
        coordinator.publish(SharedPosition(generation: 3, end: 4))
        coordinator.unlock()
        let other = try LocalFileSystem().coordinator(at: lock)
        #expect(other.position == SharedPosition(generation: 3, end: 4))
      }
    }
  }

  @Test func `P9: are not led astray by what is written over the page`() throws {
    try withTemporaryFolder { folder in
      let lock = folder.appending("lock")
      let coordinator = try LocalFileSystem().coordinator(at: lock)
      let file = try FileDescriptor.open(lock, .readWrite)
      _ = try file.writeAll(toAbsoluteOffset: 0, [UInt8](repeating: 0xFF, count: 4000))
      try file.close()
      try coordinator.lock()
      coordinator.publish(SharedPosition(generation: 1, end: 1))
      coordinator.unlock()
      #expect(coordinator.position == SharedPosition(generation: 1, end: 1))
    }
  }

  @Test func `ring for whoever waits, without fail`() throws {
    try withTemporaryFolder { folder in
      let lock = folder.appending("lock")
      let makers: [() throws -> any FileCoordinator] = [
        { try SharedMemoryCoordinator(path: lock) },
        { try AdvisoryLockCoordinator(path: folder.appending("advisory")) },
      ]
      for make in makers {
        let (speaker, listener) = try (make(), make())
        let heard = DispatchSemaphore(value: 0)
        try listener.onDoorbell {
          listener.armDoorbell()
          heard.signal()
        }
        for round in 1...200 {
          try speaker.lock()
          speaker.publish(SharedPosition(generation: 1, end: Int64(round)))
          speaker.unlock()
          #expect(heard.wait(timeout: .now() + 60) == .success)
        }
        try listener.onDoorbell(nil)
      }
    }
  }
}
