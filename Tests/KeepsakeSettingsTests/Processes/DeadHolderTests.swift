import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("Processes killed in a transaction") struct DeadHolderTests {
  @Test("P5: A process killed in a transaction blocks no other, and none of its changes is visible")
  func otherProcess() throws {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      let other = try directory.server()
      #expect(try other.ask("set name before") == "ok")
      for round in 0..<20 {
        let holder = try directory.worker("hold", "name", "torn")
        #expect(try holder.readLine() == "inside")
        #expect(try other.ask("set round \(round)") == "ok")
        holder.kill()
        #expect(try other.ask("get name") == "before")
        #expect(try other.ask("get round") == "\(round)")
      }
      #expect(other.problems == [])
    }
  }

  @Test("P5: After a kill in a transaction, the next process can open the store")
  func nextProcess() throws {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      for round in 0..<10 {
        let holder = try directory.worker("hold", "name", "torn")
        #expect(try holder.readLine() == "inside")
        holder.kill()
        let problems = Problems()
        let store = try directory.open(problems)
        #expect(store.names == (round == 0 ? [] : ["round"]))
        try store.set(round, for: SettingsKey("round", default: 0))
        #expect(problems.all.isEmpty)
      }
    }
  }
}
