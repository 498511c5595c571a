import KeepsakeBase
import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("Files removed while a process runs") struct RemovedFileTests {
  @Test("P1: A removed property list is written again") func propertyList() throws {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      let worker = try directory.server()
      #expect(try worker.ask("set name kept") == "ok")
      #expect(try worker.ask("save") == "ok")
      try LocalFileSystem().remove(directory.propertyList)
      try waitUntil(in: directory.path) { try directory.textOfPropertyList().contains("kept") }
      worker.kill()
      #expect(try directory.open(Problems())[SettingsKey("name", default: "")] == "kept")
    }
  }

  @Test("P1: A removed journal is created again, and keeps later changes")
  func journal() throws {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      let worker = try directory.server()
      #expect(try worker.ask("set name kept") == "ok")
      // Nothing is left to write, so that only the removal can be the reason.
      #expect(try worker.ask("save") == "ok")
      for journal in try directory.journals { try LocalFileSystem().remove(journal) }
      try waitUntil(in: directory.path) { try !directory.journals.isEmpty }
      #expect(try worker.ask("set other kept") == "ok")
      worker.kill()
      let store = try directory.open(Problems())
      #expect(store[SettingsKey("name", default: "")] == "kept")
      #expect(store[SettingsKey("other", default: "")] == "kept")
    }
  }

  @Test("P5: Removing the journal does not separate running processes from new ones")
  func journalAndNewProcess() throws {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      for round in 0..<10 {
        let workers = try [directory.server(), directory.server()]
        #expect(try workers[0].ask("set zero \(round)") == "ok")
        for journal in try directory.journals { try LocalFileSystem().remove(journal) }
        let newcomer = try directory.server()
        #expect(try newcomer.ask("set new \(round)") == "ok")
        #expect(try workers[1].ask("set one \(round)") == "ok")
        for worker in workers + [newcomer] {
          #expect(try worker.ask("save") == "ok")
          for key in ["zero", "one", "new"] {
            #expect(try worker.ask("get \(key)") == "\(round)", "\(key) in round \(round)")
          }
        }
        for worker in workers + [newcomer] { worker.kill() }
        let store = try directory.open(Problems())
        for key in ["zero", "one", "new"] {
          #expect(store[SettingsKey(key, default: "")] == "\(round)")
        }
      }
    }
  }

  @Test("P5: Removing the lock file does not separate running processes from new ones")
  func lockAndNewProcess() throws {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      for round in 0..<10 {
        let workers = try [directory.server(), directory.server()]
        #expect(try workers[0].ask("set zero \(round)") == "ok")
        try LocalFileSystem().remove(directory.lock)
        let newcomer = try directory.server()
        #expect(try newcomer.ask("set new \(round)") == "ok")
        #expect(try workers[1].ask("set one \(round)") == "ok")
        for worker in workers + [newcomer] { #expect(try worker.ask("save") == "ok") }
        for worker in workers + [newcomer] {
          #expect(try worker.ask("save") == "ok")
          for key in ["zero", "one", "new"] {
            #expect(try worker.ask("get \(key)") == "\(round)", "\(key) in round \(round)")
          }
        }
        for worker in workers + [newcomer] { worker.kill() }
        let store = try directory.open(Problems())
        for key in ["zero", "one", "new"] {
          #expect(store[SettingsKey(key, default: "")] == "\(round)")
        }
      }
    }
  }
}
