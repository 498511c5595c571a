import KeepsakeBase
import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite struct `Settings that cannot be reached` {
  private let name = SettingsKey("name", default: "default")

  /// Leaves a store with one value.
  private func prepare(_ folder: WorkerFolder) throws {
    let store = try folder.open(Problems())
    try store.set("kept", for: name)
  }

  @Test(arguments: ["plist", "journal", "lock"])
  func `P4: as a folder is in a file's place are an error, and nothing is changed`(file: String)
    throws
  {
    try withTemporaryFolder { root in
      let folder = WorkerFolder(root)
      try prepare(folder)
      let path = try folder.path(of: file)
      let files = LocalFileSystem()
      try files.remove(path)
      try files.createFolder(path)
      let error = #expect(throws: SettingsError.self) { try folder.open(Problems()) }
      #expect(error?.code == .unavailable)
      #expect(error?.description.contains(path.string) == true)
      #expect(error?.description.contains("errno \(EISDIR)") == true)
      #expect(try files.information(at: path)?.kind == .folder)
    }
  }

  @Test(
    "P4: as a pipe is in a file's place are an error at once", .timeLimit(.minutes(1)),
    arguments: ["plist", "journal"])
  func pipe(file: String) throws {
    try withTemporaryFolder { root in
      let folder = WorkerFolder(root)
      try prepare(folder)
      let path = try folder.path(of: file)
      try LocalFileSystem().remove(path)
      try #require(mkfifo(path.string, 0o600) == 0)
      let error = #expect(throws: SettingsError.self) { try folder.open(Problems()) }
      #expect(error?.code == .unavailable)
      #expect(error?.description.contains(path.string) == true)
      #expect(try LocalFileSystem().information(at: path)?.kind == .other)
    }
  }

  @Test(arguments: ["plist", "journal", "lock"])
  func
    `P10: as a link out of the folder is in a file's place are an error, and the link's goal is untouched`(
      file: String
    ) throws
  {
    try withTemporaryFolder { root in
      let folder = WorkerFolder(root)
      try prepare(folder)
      let files = LocalFileSystem()
      let goal = root.appending("elsewhere")
      try files.replaceFile(at: goal, with: Array("theirs".utf8))
      let path = try folder.path(of: file)
      try files.remove(path)
      #expect(symlink(goal.string, path.string) == 0)
      let error = #expect(throws: SettingsError.self) { try folder.open(Problems()) }
      #expect(error?.code == .unavailable)
      #expect(error?.description.contains("symbolic link") == true)
      #expect(error?.description.contains(path.string) == true)
      #expect(try files.readFile(at: goal) == Array("theirs".utf8))
      #expect(try files.information(at: path)?.kind == .symbolicLink)
    }
  }

  @Test func `P10: in a directory that is a link are an error`() throws {
    try withTemporaryFolder { root in
      let folder = WorkerFolder(root)
      let files = LocalFileSystem()
      let goal = root.appending("elsewhere")
      try files.createFolder(goal)
      try files.createFolders(folder.folder.removingLastComponent())
      #expect(symlink(goal.string, folder.folder.string) == 0)
      let error = #expect(throws: SettingsError.self) { try folder.open(Problems()) }
      #expect(error?.code == .unavailable)
      #expect(error?.description.contains("symbolic link") == true)
      #expect(error?.description.contains(folder.folder.string) == true)
      #expect(try files.contents(ofFolder: goal) == [])
    }
  }

  @Test func `P4: while a process runs leave it what it knows, and are not written over`() throws {
    try withTemporaryFolder { root in
      let folder = WorkerFolder(root)
      let worker = try folder.server()
      #expect(try worker.ask("set name kept") == "ok")
      #expect(try worker.ask("save") == "ok")
      let files = LocalFileSystem()
      try files.remove(folder.propertyList)
      try files.createFolder(folder.propertyList)
      #expect(try worker.ask("set other value") == "ok")
      let answer = try worker.ask("save")
      #expect(answer.hasPrefix("error"))
      #expect(answer.contains(folder.propertyList.string))
      #expect(try worker.ask("get name") == "kept")
      #expect(try files.information(at: folder.propertyList)?.kind == .folder)
      try files.remove(folder.propertyList)
      #expect(try worker.ask("save") == "ok")
      #expect(try folder.textOfPropertyList().contains("kept"))
      #expect(try folder.textOfPropertyList().contains("value"))
    }
  }

  @Test func `P4: for want of permission are an error, and no later save writes over them`() throws
  {
    guard getuid() == 0 else {
      print("skipped: only root can become another user")
      return
    }
    try withTemporaryFolder { root in
      let folder = WorkerFolder(root)
      #expect(chown(root.string, 65534, 65534) == 0)
      func nobody() throws -> Worker { try Worker(["--user", "65534", "serve", root.string]) }
      let first = try nobody()
      #expect(try first.readLine() == "ready")
      #expect(try first.ask("set name kept") == "ok")
      try first.end()
      let before = try folder.textOfPropertyList()

      // The property list, then the folder.
      for path in [folder.propertyList, folder.folder] {
        let permissions = try LocalFileSystem().information(at: path)!.permissions
        #expect(chmod(path.string, 0) == 0)
        let second = try nobody()
        #expect(try second.readLine() == nil)
        #expect(second.wait() == 1)
        #expect(second.problems.last?.contains("errno \(EACCES)") == true)
        #expect(second.problems.last?.contains(folder.folder.string) == true)
        #expect(chmod(path.string, permissions.rawValue) == 0)
        #expect(try folder.textOfPropertyList() == before)
      }

      // A folder that can only be read: values are given, and a change is an error.
      #expect(chmod(folder.folder.string, 0o500) == 0)
      #expect(chmod(folder.lock.string, 0o400) == 0)
      let reader = try nobody()
      #expect(try reader.readLine() == "ready")
      #expect(try reader.ask("get name") == "kept")
      let answer = try reader.ask("set name lost")
      #expect(answer.hasPrefix("error") && answer.contains(folder.propertyList.string))
      #expect(try reader.ask("get name") == "kept")
      #expect(try folder.textOfPropertyList() == before)
      #expect(reader.problems.count == 1)
    }
  }
}
