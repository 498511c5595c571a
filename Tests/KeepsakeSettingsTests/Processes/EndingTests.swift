import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("A process that ends") struct EndingTests {
  @Test("P11: by itself, without closing its store, leaves a property list of all values")
  func byItself()
    throws
  {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      let worker = try directory.server()
      #expect(try worker.ask("set name Squat") == "ok")
      try worker.tell("exit")
      #expect(worker.wait() == 0)
      #expect(try directory.textOfPropertyList().contains("<string>Squat</string>"))
    }
  }

  @Test(
    "P1: within a transaction, or beside one that waits, ends at once and keeps the rest",
    arguments: ["inside", "beside"])
  func withinATransaction(
    place: String
  ) throws {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      let other = try directory.server()
      let worker = try directory.worker("exit-\(place)", "name")
      #expect(try worker.readLine() == "inside")
      #expect(try worker.readLine() == nil)
      #expect(worker.wait() == 0)
      #expect(try other.ask("set after kept") == "ok")
      for (name, value) in ["before": "kept", "name": "nothing", "after": "kept"] {
        #expect(try other.ask("get \(name)") == value)
      }
    }
  }

  @Test("P1: by a kill leaves its changes to whoever comes next") func byAKillLeavesItsChanges()
    throws
  {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      let worker = try directory.server()
      #expect(try worker.ask("set name Squat") == "ok")
      worker.kill()
      let next = try directory.server()
      #expect(try next.ask("get name") == "Squat")
      // Nobody asks for it: it is written when all is quiet.
      try waitUntil(in: directory.path) {
        try directory.textOfPropertyList().contains("<string>Squat</string>")
      }
      #expect(try next.ask("get name") == "Squat")
      #expect(next.problems == [])
    }
  }

  @Test("P11: while another lives leaves the same bytes as if it were alone")
  func whileAnotherLivesLeavesTheSameBytes() throws {
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

  @Test("P10: leaves files that are its owner's alone") func leavesFilesThatAreItsOwnersAlone()
    throws
  {
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
