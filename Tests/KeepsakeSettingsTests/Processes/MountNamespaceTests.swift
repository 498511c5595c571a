import KeepsakeBase
import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("Processes in mount namespaces with one directory at two paths", .serialized)
struct MountNamespaceTests {
  private let counter = SettingsKey("counter", default: 0)

  /// Runs a body with a directory as this process finds it, and as a process in a namespace does.
  private func withNamespace(_ body: (WorkerDirectory, WorkerDirectory) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let (root, mountPoint) = (directory.appending("here"), directory.appending("there"))
      for path in [root, mountPoint] { try LocalFileSystem().createDirectory(path) }
      guard runCommand("unshare --mount mount --bind \(root) \(mountPoint)") else {
        print("skipped: no mount namespace can be created here, which needs root")
        return
      }
      try body(WorkerDirectory(root), WorkerDirectory(root, mountedAt: mountPoint))
      // Nothing was written at the other path itself.
      #expect(try LocalFileSystem().contents(ofDirectory: mountPoint) == [])
    }
  }

  @Test("P5: Processes in two namespaces write one store and see each other's values")
  func values() throws {
    try withNamespace { here, there in
      let problems = Problems()
      let store = try here.open(problems)
      let (one, other) = try (here.server(), there.server())
      for round in 0..<20 {
        #expect(try other.ask("set there \(round)") == "ok")
        #expect(try one.ask("set here \(round)") == "ok")
        try store.set("\(round)", for: SettingsKey("store", default: ""))
        try waitUntil(in: here.path) {
          try other.ask("get here") == "\(round)" && other.ask("get store") == "\(round)"
            && one.ask("get there") == "\(round)"
            && store[SettingsKey("there", default: "")] == "\(round)"
        }
        if round % 5 == 0 { #expect(try (round % 10 == 0 ? one : other).ask("save") == "ok") }
      }
      for worker in [one, other] {
        #expect(try worker.end() == 0)
        #expect(worker.problems == [])
      }
      #expect(problems.all.isEmpty)
    }
  }

  @Test("P5: Processes in two namespaces that count in transactions reach the exact sum")
  func sum() throws {
    try withNamespace { here, there in
      let workers = try [here, there, here, there].map {
        try $0.worker("increment", "counter", "500")
      }
      var sums: [Int] = []
      for worker in workers {
        while let line = try worker.readLine() { sums.append(Int(line)!) }
        #expect(worker.problems == [])
        #expect(worker.wait() == 0)
      }
      #expect(sums.sorted() == Array(1...2000))
      #expect(try here.open(Problems())[counter] == 2000)
    }
  }

  @Test("P1: Killing one of two processes loses nothing") func kills() throws {
    try withNamespace { here, there in
      var random = SeededRandom(seed: 3)
      var writers = ["here", "there"].map { WriterLedger(prefix: $0) }
      for round in 0..<30 {
        try writers[0].start(in: here)
        try writers[1].start(in: there)
        let victim = Int(random.next() % 2)
        if round % 4 != 0 { try writers[victim].awaitAcknowledgement() }
        usleep(UInt32(random.next() % 4000))
        try writers[victim].kill()
        let errors = try WriterLedger.errors(of: &writers, in: here)
        #expect(errors == [], "round \(round)")
        if !errors.isEmpty { return }
      }
      for index in writers.indices { try writers[index].kill() }
      #expect(try WriterLedger.errors(of: &writers, in: here) == [])
      #expect(writers.flatMap(\.problems) == [])
    }
  }
}
