import KeepsakeBase
import KeepsakeFiles
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite(
  "Files that the superuser creates",
  .enabled(if: geteuid() == 0, "needs the superuser"))
struct OwnershipTests {
  private let files = LocalFileSystem()
  private let user: uid_t = 4711

  private func owner(of path: FilePath) -> uid_t {
    var status = stat()
    return path.withPlatformString { lstat($0, &status) } == 0 ? status.st_uid : .max
  }

  @Test("P10: In a user's directory, new files and directories belong to that user")
  func usersDirectory() throws {
    try withTemporaryDirectory { root in
      try #require(chown(root.string, user, user) == 0)
      let directory = root.appending("a/b")
      try files.createDirectories(directory)
      try files.replaceFile(at: directory.appending("file"), with: [1])
      _ = try files.open(directory.appending("journal"), .appendCreating)
      _ = try files.lock(at: directory.appending("lock"))
      for path in [
        root.appending("a"), directory, directory.appending("file"),
        directory.appending("journal"), directory.appending("lock"),
      ] {
        #expect(owner(of: path) == user, "\(path)")
      }
    }
  }

  @Test("P10: A file that existed before keeps its owner, under any name")
  func existingFiles() throws {
    try withTemporaryDirectory { root in
      let (ours, users) = (root.appending("ours"), root.appending("users"))
      for directory in [ours, users] { try files.createDirectory(directory) }
      try #require(chown(users.string, user, user) == 0)
      let secret = ours.appending("secret")
      _ = try files.open(secret, .appendCreating)
      try files.link(secret, to: users.appending("journal"))
      _ = try files.open(users.appending("journal"), .appendCreating)
      #expect(owner(of: secret) == 0)
      try files.replaceFile(at: users.appending("file"), with: [1])
      try #require(chown(users.appending("file").string, 0, 0) == 0)
      _ = try files.open(users.appending("file"), .appendCreating)
      #expect(owner(of: users.appending("file")) == 0)
    }
  }
}
