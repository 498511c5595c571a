import KeepsakeBase
import KeepsakeFiles
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("Local file system") struct LocalFileSystemTests {
  private let files = LocalFileSystem()

  @Test("Opening a pipe or a socket is an error and does not block", .timeLimit(.minutes(10)))
  func pipesAndSockets() throws {
    try withTemporaryDirectory { directory in
      let pipe = directory.appending("pipe")
      try #require(mkfifo(pipe.string, 0o600) == 0)
      let socketPath = directory.appending("socket")
      try #require(mknod(socketPath.string, S_IFSOCK | 0o600, 0) == 0)
      for path in [pipe, socketPath] {
        for mode in [FileOpenMode.read, .append] {
          let error = #expect(throws: FileError.self) { try files.open(path, mode) }
          #expect(error?.description.contains("not a file") == true)
        }
        #expect(throws: FileError.self) { try files.readFile(at: path) }
        files.readFiles([path.lastComponent!.string], inDirectory: directory) { _, result in
          #expect(throws: FileError.self) { try result.get() }
        }
      }
    }
  }

  @Test("A file may have a time that its nanoseconds are too many for")
  func distantTimes() throws {
    try withTemporaryDirectory { directory in
      let path = directory.appending("file")
      try files.replaceFile(at: path, with: [1])
      let now = try #require(try files.information(at: path)?.modified)
      for (seconds, isEarlier) in [(-9_500_000_000, true), (10_500_000_000, false)] {
        let times = [timespec](repeating: timespec(tv_sec: seconds, tv_nsec: 999_999_999), count: 2)
        try #require(utimensat(AT_FDCWD, path.string, times, 0) == 0)
        let modified = try #require(try files.information(at: path)?.modified)
        // As of a file system that has no such times.
        if modified == now { continue }
        #expect((modified < now) == isEarlier)
        #expect(!now.subtractingReportingOverflow(modified).overflow)
        #expect(try files.open(path, .read).information().modified == modified)
      }
    }
  }

  @Test("A write continues after signals interrupt it or cut it short")
  func interruptedWrite() throws {
    try withTemporaryDirectory { directory in
      let path = directory.appending("pipe")
      #expect(mkfifo(path.string, 0o600) == 0)
      // Opened for reading and writing, so that opening does not block.
      let pipe = try FileDescriptor.open(path, .readWrite)
      let count = 3_000_000
      let worker = try Worker(["write-with-signals", path.string, "\(count)"])
      var received: [UInt8] = []
      received.reserveCapacity(count)
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 5000, alignment: 1)
      defer { buffer.deallocate() }
      while received.count < count {
        try #require(try waitForBytes(in: pipe), "the writer stopped")
        received += buffer[..<(try pipe.read(into: buffer))]
        // Slow enough that the writer waits, which is when a signal cuts its call short.
        usleep(100)
      }
      try pipe.close()
      let isWhole = received.indices.allSatisfy {
        received[$0] == UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8)
      }
      #expect(isWhole)
      let signals = try #require(try worker.readLine().flatMap { Int($0) })
      #expect(signals > 0)
      #expect(try worker.readLine() == nil)
      #expect(worker.problems == [])
    }
  }

  @Test("P3: The old content remains if the new content does not fit")
  func newContentTooLarge() throws {
    try withTemporaryDirectory { directory in
      let path = directory.appending("file")
      try files.replaceFile(at: path, with: [1, 2, 3])
      let worker = try Worker(["replace-within", path.string, "10000", "20000"])
      let answer = try #require(try worker.readLine())
      #expect(answer.hasPrefix("cannot write '\(directory)/"))
      #expect(answer.contains("(errno \(EFBIG))"))
      #expect(answer.hasSuffix("; the file is unchanged"))
      #expect(try files.readFile(at: path) == [1, 2, 3])
      #expect(try files.contents(ofDirectory: directory) == ["file"])
    }
  }

  @Test("Synchronizing all flushes the whole file system of a directory")
  func synchronizeAll() throws {
    try withTemporaryDirectory { directory in
      let file = directory.appending("file")
      try files.open(file, .createNew(permissions: .ownerReadWrite)).writeAll([1, 2, 3])
      try files.synchronizeAll(at: directory)
      #expect(try files.readFile(at: file) == [1, 2, 3])
      let missing = directory.appending("missing")
      for (path, code) in [(missing, Errno.noSuchFileOrDirectory), (file, .notDirectory)] {
        #expect(throws: FileError(.synchronize, path, code)) {
          try files.synchronizeAll(at: path)
        }
      }
    }
  }

  @Test("An error names the call, the path and the reason") func errorDescriptions() throws {
    try withTemporaryDirectory { directory in
      let missing = directory.appending("missing")
      func expect(
        _ operation: FileError.Operation, _ path: FilePath, _ code: Errno,
        _ body: () throws -> Void
      ) {
        let error = #expect(throws: FileError.self, performing: body)
        #expect(error == FileError(operation, path, code))
        #expect(error?.description.contains("\(operation.rawValue) '\(path)'") == true)
        #expect(error?.description.contains("(errno \(code.rawValue))") == true)
      }
      expect(.open, missing, .noSuchFileOrDirectory) { _ = try files.open(missing, .read) }
      expect(.open, missing, .noSuchFileOrDirectory) { _ = try files.open(missing, .append) }
      expect(.list, missing, .noSuchFileOrDirectory) {
        _ = try files.contents(ofDirectory: missing)
      }
      expect(.remove, missing, .noSuchFileOrDirectory) { try files.remove(missing) }
      expect(.rename, missing, .noSuchFileOrDirectory) {
        try files.rename(missing, to: directory.appending("new"))
      }
      expect(.createDirectory, directory, .fileExists) { try files.createDirectory(directory) }
      expect(.synchronize, missing, .noSuchFileOrDirectory) {
        try files.synchronizeDirectory(missing)
      }
      expect(.open, directory, .isDirectory) { _ = try files.open(directory, .read) }
      expect(.open, directory, .isDirectory) { _ = try files.open(directory, .append) }
      #expect(try files.information(at: missing) == nil)
      #expect(try files.readFile(at: missing) == nil)

      let file = directory.appending("file")
      try files.replaceFile(at: file, with: [])
      expect(.open, file, .fileExists) {
        _ = try files.open(file, .createNew(permissions: .ownerReadWrite))
      }
      // A path below a file does not exist either.
      #expect(try files.information(at: file.appending("below")) == nil)
      let reader = try files.open(file, .read)
      expect(.write, file, .badFileDescriptor) { try reader.writeAll([1]) }
      expect(.remove, directory, .directoryNotEmpty) { try files.remove(directory) }
    }
  }

  @Test("Reading files together gives the same results as reading each one")
  func readFiles() throws {
    struct OneByOne: ForwardingFileSystem {
      let base = LocalFileSystem()
    }
    try withTemporaryDirectory { directory in
      try files.replaceFile(at: directory.appending("some"), with: Array("some".utf8))
      try files.replaceFile(at: directory.appending("none"), with: [])
      try files.replaceFile(
        at: directory.appending("large"), with: [UInt8](repeating: 7, count: 3_000_000))
      try files.createDirectory(directory.appending("directory"))
      #expect(symlink("some", directory.appending("link").string) == 0)
      let names = ["some", "missing", "none", "directory", "link", "large", "some/below"][...]
      for parent in [directory, directory.appending("missing"), directory.appending("some")] {
        func results(_ fileSystem: some FileSystem) -> [String] {
          var results: [String] = []
          fileSystem.readFiles(names, inDirectory: parent) { name, result in
            switch result {
            case .success(let bytes): results.append("\(name) \(bytes?.count ?? -1) \(bytes ?? [])")
            case .failure(let error): results.append("\(name) \(error)")
            }
          }
          return results
        }
        #expect(results(files) == results(OneByOne()))
        #expect(results(files).count == names.count)
      }
    }
  }

  @Test("P10: A symbolic link in the last component of a path is not followed")
  func finalSymbolicLink() throws {
    try withTemporaryDirectory { directory in
      let target = directory.appending("target")
      let link = directory.appending("link")
      try files.replaceFile(at: target, with: [1, 2, 3])
      #expect(symlink(target.string, link.string) == 0)
      #expect(try files.information(at: link)?.kind == .symbolicLink)
      for mode in [FileOpenMode.read, .append] {
        let error = #expect(throws: FileError.self) { try files.open(link, mode) }
        #expect(error?.code == .tooManySymbolicLinkLevels)
        #expect(error?.description.contains("it is a symbolic link") == true)
      }
      let error = #expect(throws: FileError.self) { try files.replaceFile(at: link, with: [4]) }
      #expect(error?.code == .tooManySymbolicLinkLevels)
      #expect(throws: FileError.self) { try files.readFile(at: link) }
      #expect(throws: FileError.self) { try files.lock(at: link) }
      try files.remove(link)
      #expect(try files.readFile(at: target) == [1, 2, 3])
    }
  }

  @Test("P10: New files and directories are accessible to their owner only")
  func ownerOnlyPermissions() throws {
    try withTemporaryDirectory { directory in
      let deep = directory.appending("a/b/c")
      try files.createDirectories(deep)
      try files.createDirectories(deep)
      for path in [deep, deep.removingLastComponent(), directory.appending("a")] {
        #expect(try files.information(at: path)?.permissions == .ownerReadWriteExecute)
      }
      let file = deep.appending("file")
      try files.replaceFile(at: file, with: [1])
      #expect(try files.information(at: file)?.permissions == .ownerReadWrite)
      let lock = deep.appending("lock")
      _ = try files.lock(at: lock)
      #expect(try files.information(at: lock)?.permissions == .ownerReadWrite)
    }
  }

  @Test("A read beyond the end of a file returns fewer bytes") func readAtEndOfFile() throws {
    try withTemporaryDirectory { directory in
      let path = directory.appending("file")
      try files.replaceFile(at: path, with: Array(0..<10))
      let file = try files.open(path, .append)
      #expect(try file.readAll(from: 4) == [4, 5, 6, 7, 8, 9])
      #expect(try file.readAll(from: 4, limit: 2) == [4, 5])
      #expect(try file.readAll(from: 10) == [])
      #expect(try file.readAll(from: 100, limit: 100) == [])
      try file.truncate(to: 3)
      try file.writeAll([9])
      #expect(try file.readAll() == [0, 1, 2, 9])
    }
  }
}
