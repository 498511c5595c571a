import KeepsakeBase
import KeepsakeFiles
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite struct `Replacing a file` {
  private let files = LocalFileSystem()

  @Test func `keeps who may read it, and leaves nothing else behind`() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending("file")
      for mode in [0o600, 0o640, 0o644, 0o400] as [CInterop.Mode] {
        try files.replaceFile(at: path, with: [1])
        #expect(chmod(path.string, mode) == 0)
        try files.replaceFile(at: path, with: [2])
        #expect(try files.information(at: path)?.permissions.rawValue == mode)
        #expect(try files.contents(ofFolder: folder) == ["file"])
      }
    }
  }

  @Test func `never cuts or writes over the old one`() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending("file")
      try files.replaceFile(at: path, with: [1, 2, 3])
      let reader = try files.open(path, .read)
      let old = try reader.information().identity
      try files.replaceFile(at: path, with: [4])
      // Whoever has the old one open has all of it.
      #expect(try reader.readAll() == [1, 2, 3])
      #expect(try reader.information().linkCount == 0)
      #expect(try files.information(at: path)?.identity != old)
    }
  }

  @Test func `is refused where no file is in place`() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending("place")
      try files.createFolder(path)
      #expect(throws: FileError(.write, path, .isDirectory)) {
        try files.replaceFile(at: path, with: [1])
      }
      try files.remove(path)
      #expect(mkfifo(path.string, 0o600) == 0)
      #expect(throws: FileError(.write, path, .invalidArgument)) {
        try files.replaceFile(at: path, with: [1])
      }
      #expect(try files.contents(ofFolder: folder) == ["place"])
    }
  }

  @Test func `says that no file was made where none can be`() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending("missing").appending("file")
      let error = #expect(throws: FileError.self) { try files.replaceFile(at: path, with: [1]) }
      #expect(error?.operation == .open)
      #expect(error?.code == .noSuchFileOrDirectory)
      #expect(error?.effect == "no file was made")
    }
  }

  @Test func `removes what killed writers left, and nothing else`() throws {
    try withTemporaryFolder { folder in
      let others = ["file", "other", ".file.txt", ".other.abc.new", "file.new", ".new"]
      for name in others + [".file.abc.new", ".file.0.new"] {
        try files.replaceFile(at: folder.appending(name), with: [1])
      }
      try files.removeLeftovers(of: [folder.appending("file")], in: folder)
      #expect(try files.contents(ofFolder: folder).sorted() == others.sorted())
    }
  }

  @Test func `P3: sets aside the same bytes once, and others under a name of their own`() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending("file")
      let first = try files.setAside([1], of: path, as: "damaged")
      #expect(first == folder.appending("file.damaged-1"))
      #expect(try files.setAside([1], of: path, as: "damaged") == first)
      let second = try files.setAside([2], of: path, as: "damaged")
      #expect(second == folder.appending("file.damaged-2"))
      #expect(try files.setAside([1], of: path, as: "damaged") == first)
      #expect(try files.readFile(at: first) == [1])
      #expect(try files.readFile(at: second) == [2])
    }
  }
}
