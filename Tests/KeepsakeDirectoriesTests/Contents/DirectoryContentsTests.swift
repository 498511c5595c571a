import KeepsakeBase
import KeepsakeDirectories
import KeepsakeFiles
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("The files of a chosen directory") struct DirectoryContentsTests {
  @Test("Files are listed by their relative paths, in order, without hidden ones") func files()
    throws
  {
    try withTemporaryDirectory { directory in
      for name in ["b/c/deep", "b/a", "z", "Äpfel", ".hidden", ".git/config"] {
        try write("x", to: directory.pushing(FilePath(name)))
      }
      try makeDirectory(directory.appending("empty"))
      let contents = try DirectoryContents(of: directory)
      #expect(contents.files == ["b/a", "b/c/deep", "z", "Äpfel"])
      #expect(contents.skipped == [])
    }
  }

  @Test("Symbolic links are neither followed nor listed, and each is reported") func links() throws
  {
    try withTemporaryDirectory { root in
      let directory = root.appending("chosen")
      try write("secret", to: root.appending("outside/secret"))
      try write("x", to: directory.appending("inside"))
      for (name, target) in [("up", ".."), ("file", "../outside/secret"), ("loop", "loop")] {
        try link(directory.appending(name), to: target)
      }
      let contents = try DirectoryContents(of: directory)
      #expect(contents.files == ["inside"])
      #expect(contents.skipped.map(\.path) == ["file", "loop", "up"])
      #expect(contents.skipped[0].reason == .symbolicLink(to: "../outside/secret"))
      #expect(
        contents.skipped[0].description
          == "'file': a symbolic link to '../outside/secret', which is not followed")
      try link(root.appending("entry"), to: "chosen")
      let error = try #require(throws: DirectoryContentsError.self) {
        try DirectoryContents(of: root.appending("entry"))
      }
      #expect("\(error)".contains("entry"))
    }
  }

  @Test("A directory with more entries than the limit is an error, however they are spread")
  func limit() throws {
    try withTemporaryDirectory(isInMemory: true) { directory in
      for outer in 0..<10 {
        for inner in 0..<9 { try write("", to: directory.appending("\(outer)/\(inner)")) }
      }
      #expect(try DirectoryContents(of: directory, limit: 100).files.count == 90)
      let error = try #require(throws: DirectoryContentsError.self) {
        try DirectoryContents(of: directory, limit: 99)
      }
      #expect(error == .tooManyEntries(directory, limit: 99))
      #expect("\(error)".contains("more than 99"))
    }
  }

  @Test("Pipes, unreadable directories and very deep ones are skipped with a reason")
  func skipped() throws {
    try withTemporaryDirectory(isInMemory: true) { directory in
      _ = directory.appending("pipe").withPlatformString { mkfifo($0, 0o600) }
      let deepest = (0..<65).reduce(directory) { path, _ in path.appending("d") }
      try write("x", to: deepest.appending("unreachable"))
      try write("x", to: deepest.removingLastComponent().appending("reachable"))
      var expected: [DirectoryContents.SkippedEntry.Reason] = [.tooDeep, .notAFile]
      let locked = directory.appending("locked")
      try makeDirectory(locked)
      // The superuser may read everything.
      if geteuid() != 0 {
        _ = locked.withPlatformString { chmod($0, 0) }
        expected.insert(.notReadable(.permissionDenied), at: 1)
      }
      let contents = try DirectoryContents(of: directory)
      #expect(contents.skipped.map(\.reason) == expected)
      #expect(contents.files.map(\.lastComponent) == ["reachable"])
    }
  }

  @Test(
    "What cannot be read as a directory is an error with its path", arguments: ["missing", "file"])
  func unreadable(_ name: String) throws {
    try withTemporaryDirectory { directory in
      try write("x", to: directory.appending("file"))
      let error = try #require(throws: DirectoryContentsError.self) {
        try DirectoryContents(of: directory.appending(name))
      }
      #expect("\(error)".contains("/\(name)'"))
    }
  }

  @Test("A name that is not UTF-8 is listed by its bytes") func bytes() throws {
    try withTemporaryDirectory { directory in
      let name: [CChar] = [0x61, -1, 0x62, 0]
      let path = directory.pushing(FilePath(platformString: name))
      try FileDescriptor.open(path, .writeOnly, options: .create, permissions: .ownerReadWrite)
        .close()
      let files = try DirectoryContents(of: directory).files
      #expect(files == [FilePath(platformString: name)])
    }
  }
}
