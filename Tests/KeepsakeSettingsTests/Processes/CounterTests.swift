import Dispatch
import KeepsakeBase
import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("Several writers of one store", .serialized) struct CounterTests {
  private let counter = SettingsKey("counter", default: 0)

  @Test("P5: Four processes that count in transactions reach the exact sum")
  func fourProcesses() throws {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      let workers = try (0..<4).map { _ in try directory.worker("increment", "counter", "1000") }
      var sums: [Int] = []
      for worker in workers {
        while let line = try worker.readLine() { sums.append(Int(line)!) }
        #expect(worker.problems == [])
        #expect(worker.wait() == 0)
      }
      // No two processes saw the same value: the transactions are serialized.
      #expect(sums.sorted() == Array(1...4000))
      let problems = Problems()
      #expect(try directory.open(problems)[counter] == 4000)
      #expect(problems.all.isEmpty)
    }
  }

  @Test("P5: A process killed while it counts loses no count of the others")
  func killedProcess() throws {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      var random = SeededRandom(seed: 2)
      let workers = try (0..<3).map { _ in try directory.worker("increment", "counter", "1500") }
      var sums: [Int] = []
      let kills = 40
      for _ in 0..<kills {
        let victim = try directory.worker("increment", "counter", "1000000000")
        if let line = try victim.readLine() { sums.append(Int(line)!) }
        usleep(UInt32(random.next() % 3000))
        victim.kill()
        while let line = try victim.readLine() { sums.append(Int(line)!) }
        #expect(victim.problems == [])
        for worker in workers { sums += try worker.readLines().map { Int($0)! } }
      }
      for worker in workers {
        while let line = try worker.readLine() { sums.append(Int(line)!) }
        #expect(worker.problems == [])
        #expect(worker.wait() == 0)
      }
      let problems = Problems()
      let total = try directory.open(problems)[counter]
      #expect(problems.all.isEmpty)
      #expect(Set(sums).count == sums.count)
      #expect(sums.max()! <= total)
      // Each kill may occur between a count and its acknowledgment.
      #expect((sums.count...sums.count + kills).contains(total))
      print("kills: \(kills) (of a process that counts)")
    }
  }

  @Test("P5: Two processes that write 600 keys lose none")
  func manyKeys() throws {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      let workers = try [directory.server(), directory.server()]
      for index in 0..<300 {
        for (number, worker) in workers.enumerated() {
          try worker.send("set key.\(number).\(index) \(index)")
        }
      }
      for worker in workers {
        for _ in 0..<300 { #expect(try worker.readLine() == "ok") }
      }
      let store = try directory.open(Problems())
      #expect(store.names.count == 600)
      for index in 0..<300 {
        for number in 0..<2 {
          #expect(store[SettingsKey("key.\(number).\(index)", default: "")] == "\(index)")
        }
      }
      for worker in workers { #expect(try worker.end() == 0) }
      #expect(try directory.open(Problems()).names.count == 600)
    }
  }

  @Test("P5: Eight threads lose neither a key nor a count") func threads() throws {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      let problems = Problems()
      let store = try directory.open(problems)
      DispatchQueue.concurrentPerform(iterations: 8) { thread in
        for index in 0..<250 {
          store[SettingsKey("key.\(thread).\(index % 10)", default: 0)] = index
          #expect(throws: Never.self) { try store.transaction { $0[counter] += 1 } }
        }
      }
      #expect(store[counter] == 2000)
      let other = try directory.open(problems)
      #expect(other[counter] == 2000)
      for thread in 0..<8 {
        for index in 0..<10 {
          #expect(other[SettingsKey("key.\(thread).\(index)", default: -1)] == 240 + index)
        }
      }
      #expect(problems.all.isEmpty)
    }
  }
}
