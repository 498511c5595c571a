import KeepsakeBase
import KeepsakeFiles
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("Replacing a file") struct ReplaceTests {
  private let files = LocalFileSystem()

  @Test("Replacing a file keeps its permissions and leaves no other file")
  func permissions() throws {
    try withTemporaryDirectory { directory in
      let path = directory.appending("file")
      for mode in [0o600, 0o640, 0o644, 0o400] as [CInterop.Mode] {
        try files.replaceFile(at: path, with: [1])
        #expect(chmod(path.string, mode) == 0)
        try files.replaceFile(at: path, with: [2])
        #expect(try files.information(at: path)?.permissions.rawValue == mode)
        #expect(try files.contents(ofDirectory: directory) == ["file"])
      }
    }
  }

  @Test("The old file is never truncated or overwritten") func oldFileIsUnchanged() throws {
    try withTemporaryDirectory { directory in
      let path = directory.appending("file")
      try files.replaceFile(at: path, with: [1, 2, 3])
      let reader = try files.open(path, .read)
      let old = try reader.information().identity
      try files.replaceFile(at: path, with: [4])
      // A process that has the old file open can still read all of it.
      #expect(try reader.readAll() == [1, 2, 3])
      #expect(try reader.information().linkCount == 0)
      #expect(try files.information(at: path)?.identity != old)
    }
  }

  @Test("A directory or a pipe is not replaced") func notAFile() throws {
    try withTemporaryDirectory { directory in
      let path = directory.appending("entry")
      try files.createDirectory(path)
      #expect(throws: FileError(.write, path, .isDirectory)) {
        try files.replaceFile(at: path, with: [1])
      }
      try files.remove(path)
      #expect(mkfifo(path.string, 0o600) == 0)
      #expect(throws: FileError(.write, path, .invalidArgument)) {
        try files.replaceFile(at: path, with: [1])
      }
      #expect(try files.contents(ofDirectory: directory) == ["entry"])
    }
  }

  @Test("The error says that no file was made if the directory is missing")
  func missingDirectory() throws {
    try withTemporaryDirectory { directory in
      let path = directory.appending("missing").appending("file")
      let error = #expect(throws: FileError.self) { try files.replaceFile(at: path, with: [1]) }
      #expect(error?.operation == .open)
      #expect(error?.code == .noSuchFileOrDirectory)
      #expect(error?.effect == "no file was created")
    }
  }

  @Test("A file that another program saved meanwhile is not replaced", arguments: [true, false])
  func concurrentEdit(inPlace: Bool) throws {
    try withTemporaryDirectory { directory in
      let path = directory.appending("file")
      try files.replaceFile(at: path, with: [1])
      let old = try files.information(at: path)
      let editing = LateFileSystem {
        if inPlace {
          try files.open(path, .append).writeAll([2])
        } else {
          try files.replaceFile(at: path, with: [1, 2])
        }
      }
      var new: FileInformation?
      #expect(try !editing.replaceFile(at: path, ifStill: old, with: [3], new: &new))
      #expect(new == nil)
      #expect(try files.readFile(at: path) == [1, 2])
      #expect(try files.contents(ofDirectory: directory) == ["file"])
      // Now the edit is seen before the exchange.
      #expect(try !files.replaceFile(at: path, ifStill: old, with: [3], new: &new))
      let edited = try files.information(at: path)
      #expect(try files.replaceFile(at: path, ifStill: edited, with: [3], new: &new))
      #expect(try files.information(at: path) == new)
      #expect(try files.readFile(at: path) == [3])
      #expect(try files.contents(ofDirectory: directory) == ["file"])
    }
  }

  @Test("What another program saved meanwhile is preserved if it cannot be restored")
  func unrestorableEdit() throws {
    try withTemporaryDirectory { directory in
      let path = directory.appending("file")
      try files.replaceFile(at: path, with: [1])
      let old = try files.information(at: path)
      let exchanges = Mutex(0)
      let editing = LateFileSystem {
        let isFirst = exchanges.withLock { count in
          count += 1
          return count == 1
        }
        guard isFirst else { throw FileError(.rename, path, .ioError) }
        try files.replaceFile(at: path, with: [1, 2])
      }
      let preserved = directory.appending("file.edited-1")
      var new: FileInformation?
      let error = try #require(throws: FileError.self) {
        _ = try editing.replaceFile(at: path, ifStill: old, with: [3], new: &new)
      }
      #expect(
        error.effect == "the last version that another program saved was kept as '\(preserved)'")
      try files.removeLeftovers(of: [path], in: directory)
      #expect(try files.readFile(at: preserved) == [1, 2])
      #expect(try files.readFile(at: path) == [3])
      #expect(try files.contents(ofDirectory: directory).sorted() == ["file", "file.edited-1"])
    }
  }

  @Test("A file that another program created meanwhile is not replaced")
  func concurrentCreation() throws {
    try withTemporaryDirectory { directory in
      let path = directory.appending("file")
      let editing = LateFileSystem { try files.replaceFile(at: path, with: [1]) }
      var new: FileInformation?
      #expect(try !editing.replaceFile(at: path, ifStill: nil, with: [2], new: &new))
      #expect(try files.readFile(at: path) == [1])
      try files.remove(path)
      #expect(try files.replaceFile(at: path, ifStill: nil, with: [2], new: &new))
      #expect(try files.information(at: path) == new)
      #expect(try files.contents(ofDirectory: directory) == ["file"])
    }
  }

  @Test("Files are renamed where names cannot be exchanged or linked")
  func withoutExchange() throws {
    try withTemporaryDirectory { directory in
      let path = directory.appending("file")
      let editing = LateFileSystem { throw FileError(.rename, path, .notSupported) }
      var new: FileInformation?
      for content in [1, 2] as [UInt8] {
        let old = try files.information(at: path)
        #expect(try editing.replaceFile(at: path, ifStill: old, with: [content], new: &new))
        #expect(try files.information(at: path) == new)
        #expect(try files.readFile(at: path) == [content])
      }
      #expect(try files.contents(ofDirectory: directory) == ["file"])
    }
  }

  @Test("Only the temporary files of killed writers are removed") func leftovers() throws {
    try withTemporaryDirectory { directory in
      let others = ["file", "other", ".file.txt", ".other.abc.new", "file.new", ".new"]
      for name in others + [".file.abc.new", ".file.0.new"] {
        try files.replaceFile(at: directory.appending(name), with: [1])
      }
      try files.removeLeftovers(of: [directory.appending("file")], in: directory)
      #expect(try files.contents(ofDirectory: directory).sorted() == others.sorted())
    }
  }

  @Test("P3: The same damaged bytes are quarantined once, other bytes under another name")
  func quarantine() throws {
    try withTemporaryDirectory { directory in
      let path = directory.appending("file")
      let first = try files.quarantine([1], of: path, as: "damaged")
      #expect(first == directory.appending("file.damaged-1"))
      #expect(try files.quarantine([1], of: path, as: "damaged") == first)
      let second = try files.quarantine([2], of: path, as: "damaged")
      #expect(second == directory.appending("file.damaged-2"))
      #expect(try files.quarantine([1], of: path, as: "damaged") == first)
      #expect(try files.readFile(at: first) == [1])
      #expect(try files.readFile(at: second) == [2])
    }
  }
}

/// The local file system, with another program that acts just before names are exchanged or linked.
private struct LateFileSystem: ForwardingFileSystem {
  let base = LocalFileSystem()
  let other: @Sendable () throws -> Void

  init(_ other: @escaping @Sendable () throws -> Void) { self.other = other }

  private func interrupt() throws(FileError) {
    do {
      try other()
    } catch {
      throw error as! FileError
    }
  }

  func exchange(_ path: FilePath, with otherPath: FilePath) throws(FileError) {
    try interrupt()
    try base.exchange(path, with: otherPath)
  }

  func link(_ path: FilePath, to newPath: FilePath) throws(FileError) {
    try interrupt()
    try base.link(path, to: newPath)
  }
}
