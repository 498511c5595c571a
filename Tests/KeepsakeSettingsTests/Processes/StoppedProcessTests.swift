import KeepsakeBase
import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("Processes that are stopped, forked or lose their directory")
struct StoppedProcessTests {
  @Test("P5: A process that is stopped at any moment blocks no other")
  func stopped() throws {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      let other = try directory.server()
      var random = SeededRandom(seed: 11)
      for round in 0..<20 {
        let worker = try directory.worker("write", "w", "1", "1000000000")
        _ = try worker.readLine()
        usleep(UInt32(random.next() % 20_000))
        kill(worker.process, SIGSTOP)
        #expect(try other.ask("set round \(round)") == "ok")
        #expect(try other.ask("get round") == "\(round)")
        // Opening, too, and saving unless the stopped process is writing the property list.
        let store = try directory.open(Problems())
        #expect(store[SettingsKey("round", default: "")] == "\(round)")
        kill(worker.process, SIGCONT)
        worker.kill()
      }
      #expect(other.problems == [])
    }
  }

  @Test("P5: A process that holds the lock for the property list delays no change")
  func heldLock() throws {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      let other = try directory.server()
      #expect(try other.ask("set name first") == "ok")
      let holder = try Worker(["lock", directory.lock.string])
      #expect(try holder.readLine() == "locked")
      kill(holder.process, SIGSTOP)
      for index in 0..<100 { #expect(try other.ask("set name \(index)") == "ok") }
      let answer = try other.ask("save")
      #expect(answer.hasPrefix("error") && answer.contains("process \(holder.process) holds it"))
      holder.kill()
      #expect(try other.ask("save") == "ok")
      #expect(try directory.textOfPropertyList().contains("<string>99</string>"))
    }
  }

  @Test("P5: A forked child and its parent lose none of each other's changes")
  func forked() throws {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      let worker = try directory.worker("fork-set")
      #expect(try worker.readLine() == "1001")
      #expect(worker.wait() == 0)
      #expect(try directory.open(Problems()).names.count == 1001)
    }
  }

  @Test("P4: After the directory is renamed, a change is an error until it is back")
  func renamedDirectory() throws {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      let worker = try directory.server()
      #expect(try worker.ask("set name before") == "ok")
      let files = LocalFileSystem()
      let away = FilePath(directory.path.string + " away")
      try files.rename(directory.path, to: away)
      var answer = ""
      for _ in 0..<500 where !answer.hasPrefix("error") {
        answer = try worker.ask("set name lost")
        usleep(10_000)
      }
      #expect(
        answer.contains(directory.path.string) && answer.contains("was renamed or removed"))
      #expect(try files.information(at: directory.path) == nil)
      try files.rename(away, to: directory.path)
      #expect(try worker.ask("set other after") == "ok")
      #expect(try worker.ask("save") == "ok")
      #expect(try directory.textOfPropertyList().contains("<string>after</string>"))
    }
  }

  @Test("P5: A transaction succeeds despite constant changes of its key by another process")
  func endlessChanges() throws {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      let writer = try directory.worker("set-endlessly", "count")
      #expect(try writer.readLine() == "ready")
      let store = try directory.open(Problems())
      let count = SettingsKey("count", default: 0)
      var successes = 0
      for _ in 0..<50 {
        do {
          try store.transaction { settings in settings[count] += 1_000_000_000 }
          successes += 1
        } catch let error as SettingsError {
          #expect(error.code == .conflict)
        }
      }
      #expect(successes > 0)
      writer.kill()
    }
  }
}
