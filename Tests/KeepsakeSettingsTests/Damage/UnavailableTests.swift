import KeepsakeBase
import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("Unavailable settings") struct UnavailableTests {
  private let name = SettingsKey("name", default: "default")

  /// Creates a store with one value.
  private func prepare(_ directory: WorkerDirectory) throws {
    let store = try directory.open(Problems())
    try store.set("kept", for: name)
  }

  @Test(
    "P4: A directory in place of a file is an error, and nothing is changed",
    arguments: ["plist", "journal", "lock"])
  func directoryInsteadOfFile(file: String) throws {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      try prepare(directory)
      let path = try directory.path(of: file)
      let files = LocalFileSystem()
      try files.remove(path)
      try files.createDirectory(path)
      let error = #expect(throws: SettingsError.self) { try directory.open(Problems()) }
      #expect(error?.code == .unavailable)
      #expect(error?.description.contains(path.string) == true)
      #expect(error?.description.contains("errno \(EISDIR)") == true)
      #expect(try files.information(at: path)?.kind == .directory)
    }
  }

  @Test(
    "P4: A pipe in place of a file is an error and does not block", .timeLimit(.minutes(10)),
    arguments: ["plist", "journal"])
  func pipeInsteadOfFile(file: String) throws {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      try prepare(directory)
      let path = try directory.path(of: file)
      try LocalFileSystem().remove(path)
      try #require(mkfifo(path.string, 0o600) == 0)
      let error = #expect(throws: SettingsError.self) { try directory.open(Problems()) }
      #expect(error?.code == .unavailable)
      #expect(error?.description.contains(path.string) == true)
      #expect(try LocalFileSystem().information(at: path)?.kind == .other)
    }
  }

  @Test(
    "P10: A link that escapes the directory is an error, and its target is unchanged",
    arguments: ["plist", "journal", "lock"])
  func linkInsteadOfFile(file: String) throws {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      try prepare(directory)
      let files = LocalFileSystem()
      let target = root.appending("elsewhere")
      try files.replaceFile(at: target, with: Array("theirs".utf8))
      let path = try directory.path(of: file)
      try files.remove(path)
      #expect(symlink(target.string, path.string) == 0)
      let error = #expect(throws: SettingsError.self) { try directory.open(Problems()) }
      #expect(error?.code == .unavailable)
      #expect(error?.description.contains("symbolic link") == true)
      #expect(error?.description.contains(path.string) == true)
      #expect(try files.readFile(at: target) == Array("theirs".utf8))
      #expect(try files.information(at: path)?.kind == .symbolicLink)
    }
  }

  @Test("P10: A directory that is a symbolic link is an error") func linkedDirectory() throws {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      let files = LocalFileSystem()
      let target = root.appending("elsewhere")
      try files.createDirectory(target)
      try files.createDirectories(directory.path.removingLastComponent())
      #expect(symlink(target.string, directory.path.string) == 0)
      let error = #expect(throws: SettingsError.self) { try directory.open(Problems()) }
      #expect(error?.code == .unavailable)
      #expect(error?.description.contains("symbolic link") == true)
      #expect(error?.description.contains(directory.path.string) == true)
      #expect(try files.contents(ofDirectory: target) == [])
    }
  }

  @Test("P4: If the file becomes unavailable, a process keeps its values and overwrites nothing")
  func unavailableLater() throws {
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      let worker = try directory.server()
      #expect(try worker.ask("set name kept") == "ok")
      #expect(try worker.ask("save") == "ok")
      let files = LocalFileSystem()
      try files.remove(directory.propertyList)
      try files.createDirectory(directory.propertyList)
      #expect(try worker.ask("set other value") == "ok")
      let answer = try worker.ask("save")
      #expect(answer.hasPrefix("error"))
      #expect(answer.contains(directory.propertyList.string))
      #expect(try worker.ask("get name") == "kept")
      #expect(try files.information(at: directory.propertyList)?.kind == .directory)
      try files.remove(directory.propertyList)
      #expect(try worker.ask("save") == "ok")
      #expect(try directory.textOfPropertyList().contains("kept"))
      #expect(try directory.textOfPropertyList().contains("value"))
    }
  }

  @Test("P4: Missing permission is an error, and no later save overwrites the settings")
  func missingPermission() throws {
    guard getuid() == 0 else {
      print("skipped: only root can become another user")
      return
    }
    try withTemporaryDirectory { root in
      let directory = WorkerDirectory(root)
      #expect(chown(root.string, 65534, 65534) == 0)
      func startServer() throws -> Worker { try Worker(["--user", "65534", "serve", root.string]) }
      let first = try startServer()
      #expect(try first.readLine() == "ready")
      #expect(try first.ask("set name kept") == "ok")
      try first.end()
      let before = try directory.textOfPropertyList()

      // The property list, then the directory.
      for path in [directory.propertyList, directory.path] {
        let permissions = try LocalFileSystem().information(at: path)!.permissions
        #expect(chmod(path.string, 0) == 0)
        let second = try startServer()
        #expect(try second.readLine() == nil)
        #expect(second.wait() == 1)
        #expect(second.problems.last?.contains("errno \(EACCES)") == true)
        #expect(second.problems.last?.contains(directory.path.string) == true)
        #expect(chmod(path.string, permissions.rawValue) == 0)
        #expect(try directory.textOfPropertyList() == before)
      }

      // A read-only directory: values can be read, and a change is an error.
      #expect(chmod(directory.path.string, 0o500) == 0)
      #expect(chmod(directory.lock.string, 0o400) == 0)
      let reader = try startServer()
      #expect(try reader.readLine() == "ready")
      #expect(try reader.ask("get name") == "kept")
      let answer = try reader.ask("set name lost")
      #expect(answer.hasPrefix("error") && answer.contains(directory.propertyList.string))
      #expect(try reader.ask("get name") == "kept")
      #expect(try directory.textOfPropertyList() == before)
      #expect(reader.problems.count == 1)
    }
  }
}
