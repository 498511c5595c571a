import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite struct `A process that ends` {
  @Test func `P11: by itself, without closing its store, leaves a property list of all values`()
    throws
  {
    try withTemporaryFolder { root in
      let folder = WorkerFolder(root)
      let worker = try folder.server()
      #expect(try worker.ask("set name Squat") == "ok")
      try worker.tell("exit")
      #expect(worker.wait() == 0)
      #expect(try folder.textOfPropertyList().contains("<string>Squat</string>"))
    }
  }

  @Test(arguments: ["inside", "beside"])
  func `P1: within a transaction, or beside one that waits, ends at once and keeps the rest`(
    place: String
  ) throws {
    try withTemporaryFolder { root in
      let folder = WorkerFolder(root)
      let other = try folder.server()
      let worker = try folder.worker("exit-\(place)", "name")
      #expect(try worker.readLine() == "inside")
      #expect(try worker.readLine() == nil)
      #expect(worker.wait() == 0)
      #expect(try other.ask("set after kept") == "ok")
      for (name, value) in ["before": "kept", "name": "nothing", "after": "kept"] {
        #expect(try other.ask("get \(name)") == value)
      }
    }
  }

  @Test func `P1: by a kill leaves its changes to whoever comes next`() throws {
    try withTemporaryFolder { root in
      let folder = WorkerFolder(root)
      let worker = try folder.server()
      #expect(try worker.ask("set name Squat") == "ok")
      worker.kill()
      let next = try folder.server()
      #expect(try next.ask("get name") == "Squat")
      // Nobody asks for it: it is written when all is quiet.
      try waitUntil(in: folder.folder) {
        try folder.textOfPropertyList().contains("<string>Squat</string>")
      }
      #expect(try next.ask("get name") == "Squat")
      #expect(next.problems == [])
    }
  }

  @Test func `P11: while another lives leaves the same bytes as if it were alone`() throws {
    func write(together: Bool) throws -> String {
      try withTemporaryFolder { root in
        let folder = WorkerFolder(root)
        let one = try folder.server()
        let other = together ? try folder.server() : one
        for index in 0..<20 {
          #expect(try (index % 2 == 0 ? one : other).ask("set key\(index) \(index)") == "ok")
        }
        try one.end()
        if together { try other.end() }
        return try folder.textOfPropertyList().replacing(/<!-- Keepsake.*-->/, with: "")
      }
    }
    #expect(try write(together: true) == write(together: false))
  }

  @Test func `P10: leaves files that are its owner's alone`() throws {
    try withTemporaryFolder { root in
      let folder = WorkerFolder(root)
      let worker = try folder.server()
      #expect(try worker.ask("set name Squat") == "ok")
      let files = LocalFileSystem()
      for path in [folder.folder, folder.folder.removingLastComponent()] {
        #expect(try files.information(at: path)?.permissions == .ownerReadWriteExecute)
      }
      for path in try folder.journals + [folder.lock] {
        #expect(try files.information(at: path)?.permissions == .ownerReadWrite)
      }
      try worker.end()
      #expect(try files.information(at: folder.propertyList)?.permissions == .ownerReadWrite)
      #expect(
        try files.contents(ofFolder: folder.folder).sorted()
          == ["journal-2", "lock", "plist"].map { "\(workerIdentifier).\($0)" })
    }
  }
}
