import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("Processes that end") struct EndingTests {
  @Test("P11: A process that exits without closing its store leaves a complete property list")
  func normalExit() throws {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      let worker = try directory.server()
      #expect(try worker.ask("set name Squat") == "ok")
      try worker.send("exit")
      #expect(worker.wait() == 0)
      #expect(try directory.textOfPropertyList().contains("<string>Squat</string>"))
    }
  }

  @Test(
    "P1: An exit in a transaction, or beside one, does not wait and keeps all other changes",
    arguments: ["inside", "beside"])
  func exitInTransaction(position: String) throws {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      let other = try directory.server()
      let worker = try directory.worker("exit-\(position)", "name")
      #expect(try worker.readLine() == "inside")
      #expect(try worker.readLine() == nil)
      #expect(worker.wait() == 0)
      #expect(try other.ask("set after kept") == "ok")
      for (name, value) in ["before": "kept", "name": "nothing", "after": "kept"] {
        #expect(try other.ask("get \(name)") == value)
      }
    }
  }

  @Test("P1: The next process reads the changes of a killed one") func killedProcess() throws {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      let worker = try directory.server()
      #expect(try worker.ask("set name Squat") == "ok")
      worker.kill()
      let next = try directory.server()
      #expect(try next.ask("get name") == "Squat")
      // No process requests a save: it happens when the store is idle.
      try waitUntil(in: directory.path) {
        try directory.textOfPropertyList().contains("<string>Squat</string>")
      }
      #expect(try next.ask("get name") == "Squat")
      #expect(next.problems == [])
    }
  }

  @Test("P11: Two processes leave the same bytes as one")
  func twoProcesses() throws {
    func write(together: Bool) throws -> String {
      try withTemporaryDirectory { root in
        let directory = WorkerDirectory(root)
        let one = try directory.server()
        let other = together ? try directory.server() : one
        for index in 0..<20 {
          #expect(try (index % 2 == 0 ? one : other).ask("set key\(index) \(index)") == "ok")
        }
        try one.end()
        if together { try other.end() }
        return try directory.textOfPropertyList().replacing(/<!-- Keepsake.*-->/, with: "")
      }
    }
    #expect(try write(together: true) == write(together: false))
  }

  @Test("P10: The files are accessible to their owner only") func permissions() throws {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      let worker = try directory.server()
      #expect(try worker.ask("set name Squat") == "ok")
      let files = LocalFileSystem()
      for path in [directory.path, directory.path.removingLastComponent()] {
        #expect(try files.information(at: path)?.permissions == .ownerReadWriteExecute)
      }
      for path in try directory.journals + [directory.lock] {
        #expect(try files.information(at: path)?.permissions == .ownerReadWrite)
      }
      try worker.end()
      #expect(try files.information(at: directory.propertyList)?.permissions == .ownerReadWrite)
      #expect(
        try files.contents(ofDirectory: directory.path).sorted()
          == ["journal-2", "lock", "plist"].map { "\(workerIdentifier).\($0)" })
    }
  }
}
