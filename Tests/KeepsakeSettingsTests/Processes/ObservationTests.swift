import KeepsakeBase
import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("Observers in another process") struct ObservationTests {
  @Test("P6: An observer receives thousands of changes in order, up to the latest")
  func manyChanges() throws {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      let last = 5000
      let watcher = try directory.worker("watch", "counter", "\(last)")
      #expect(try watcher.readLine()?.hasPrefix("0 ") == true)
      let writer = try directory.worker("increment", "counter", "\(last)")
      while try writer.readLine() != nil {}
      var values = [0]
      while let line = try watcher.readLine() {
        values.append(Int(line.prefix { $0 != " " })!)
      }
      #expect(values.last == last)
      // A slow observer skips values, but never receives an older one.
      #expect(zip(values, values.dropFirst()).allSatisfy(<))
      #expect(watcher.problems == [])
    }
  }

  @Test("P6: An observer receives a change that no other follows") func singleChanges() throws {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      let watcher = try directory.worker("watch", "counter", "40")
      #expect(try watcher.readLine()?.hasPrefix("0 ") == true)
      // Each is made when the previous one was received, so that a later one cannot hide a missed
      // one.
      for value in 1...40 {
        let writer = try directory.worker("increment", "counter", "1")
        #expect(try writer.readLine() == "\(value)")
        #expect(try watcher.readLine()?.hasPrefix("\(value) ") == true)
      }
    }
  }

  @Test("P6: A store reads an external change while it makes many of its own")
  func busyStore() throws {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      let path = directory.container.preferencesFile()
      let busy = try SettingsStore(file: path, fileSystem: LocalFileSystem())
      let other = try SettingsStore(file: path, fileSystem: LocalFileSystem())
      let own = SettingsKey("own", default: 0)
      let others = SettingsKey("others", default: 0)
      for round in 1...20 {
        for number in 0..<2000 {
          if number == 1000 { try other.set(round, for: others) }
          try busy.set(number, for: own)
        }
        // A thread that read it may still be about to notify observers.
        try waitUntil(in: directory.path) { busy[others] == round }
      }
    }
  }

  @Test("P6: Changes of another key do not wake an observer") func otherKey() throws {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      let watcher = try directory.worker("watch", "mine", "1")
      #expect(try watcher.readLine()?.hasPrefix("0 ") == true)
      let writer = try directory.worker("increment", "other", "2000")
      while try writer.readLine() != nil {}
      let late = try directory.worker("increment", "mine", "1")
      while try late.readLine() != nil {}
      // Its next report is of its own key, after all changes of the other key.
      #expect(try watcher.readLine()?.hasPrefix("1 ") == true)
      #expect(try watcher.readLine() == nil)
    }
  }

  @Test("P6: An observer receives changes although the kernel has no watch left")
  func noKernelWatch() throws {
    guard getuid() == 0 else {
      print("skipped: only root can use up another user's watches")
      return
    }
    try withTemporaryDirectory { root in
      #expect(chown(root.string, 65533, 65533) == 0)
      let watcher = try Worker(["--user", "65533", "serve-polling", root.string])
      #expect(try watcher.readLine() == "ready")
      let writer = try Worker(["--user", "65533", "serve", root.string])
      #expect(try writer.readLine() == "ready")
      #expect(try writer.ask("set name Squat") == "ok")
      // A reader never reads the disk, so it was notified of what it returns.
      var received = ""
      for _ in 0..<6000 where received != "Squat" {
        received = try watcher.ask("get name")
        usleep(10_000)
      }
      #expect(received == "Squat")
    }
  }
}
