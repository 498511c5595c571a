import KeepsakeFiles
import KeepsakeTesting
import SystemPackage
import Testing

@Suite("The simulated disk behaves like the local file system")
struct LikenessTests {
  @Test("Both file systems throw the same errors")
  func errors() throws {
    try onBoth { files, root in
      let directory = root.appending("f")
      let file = directory.appending("a")
      let missing = root.appending("b")
      let empty = root.appending("e")
      try files.createDirectory(directory)
      try files.createDirectory(empty)
      try files.open(file, .createNew(permissions: .ownerReadWrite)).writeAll([1, 2, 3])
      let new = FileOpenMode.createNew(permissions: .ownerReadWrite)
      let cases: [(Errno, () throws -> Void)] = [
        (.noSuchFileOrDirectory, { _ = try files.open(missing, .read) }),
        (.noSuchFileOrDirectory, { _ = try files.open(missing, .append) }),
        (.noSuchFileOrDirectory, { _ = try files.open(missing.appending("x"), new) }),
        (.notDirectory, { _ = try files.open(file.appending("x"), new) }),
        (.notDirectory, { _ = try files.open(file.appending("x"), .read) }),
        (.isDirectory, { _ = try files.open(directory, .read) }),
        (.isDirectory, { _ = try files.open(directory, .append) }),
        (.fileExists, { _ = try files.open(file, new) }),
        (.fileExists, { try files.createDirectory(directory) }),
        (.fileExists, { try files.createDirectory(file) }),
        (.noSuchFileOrDirectory, { try files.createDirectory(missing.appending("x")) }),
        (.noSuchFileOrDirectory, { try files.rename(missing, to: file) }),
        (.noSuchFileOrDirectory, { try files.rename(file, to: missing.appending("x")) }),
        (.isDirectory, { try files.rename(file, to: empty) }),
        (.noSuchFileOrDirectory, { try files.link(missing, to: root.appending("x")) }),
        (.noSuchFileOrDirectory, { try files.link(file, to: missing.appending("x")) }),
        (.fileExists, { try files.link(file, to: empty) }),
        (.notPermitted, { try files.link(directory, to: root.appending("x")) }),
        (.directoryNotEmpty, { try files.remove(directory) }),
        (.noSuchFileOrDirectory, { try files.remove(missing) }),
        (.noSuchFileOrDirectory, { try files.synchronizeDirectory(missing) }),
        (.notDirectory, { try files.synchronizeDirectory(file) }),
        (.noSuchFileOrDirectory, { try files.synchronizeAll(at: missing) }),
        (.notDirectory, { try files.synchronizeAll(at: file) }),
        (.noSuchFileOrDirectory, { _ = try files.contents(ofDirectory: missing) }),
        (.notDirectory, { _ = try files.contents(ofDirectory: file) }),
        (.badFileDescriptor, { try files.open(file, .read).writeAll([1]) }),
        (.invalidArgument, { try files.open(file, .read).truncate(to: 0) }),
        (.noSuchFileOrDirectory, { _ = try files.lock(at: missing.appending("x")) }),
      ]
      for (index, (code, body)) in cases.enumerated() {
        let error = #expect(throws: FileError.self) { try body() }
        #expect(error?.code == code, "case \(index) of \(files)")
      }
      #expect(try files.open(file, .read).readAll() == [1, 2, 3])
    }
  }

  @Test("Calls have the same effects on both file systems")
  func effects() throws {
    try onBoth { files, root in
      let one = root.appending("one")
      let other = root.appending("other")
      let file = try files.open(one, .createNew(permissions: .ownerReadWrite))
      try file.writeAll([1, 2, 3])
      try file.truncate(to: 2)
      try file.writeAll([4])
      try file.truncate(to: 5)
      #expect(try file.readAll() == [1, 2, 4, 0, 0])
      #expect(try file.readAll(from: 1, limit: 2) == [2, 4])
      #expect(try file.readAll(from: 9) == [])
      let information = try file.information()
      #expect(information == (try files.information(at: one)))
      #expect(information.kind == .file && information.size == 5)
      #expect(information.permissions == .ownerReadWrite && information.linkCount == 1)

      let old = try files.open(other, .createNew(permissions: [.ownerRead, .ownerWrite]))
      try files.rename(one, to: other)
      #expect(try files.contents(ofDirectory: root) == ["other"])
      #expect(try files.information(at: other)?.identity == information.identity)
      #expect(try old.information().linkCount == 0)
      try files.link(other, to: one)
      #expect(try files.contents(ofDirectory: root).sorted() == ["one", "other"])
      #expect(try files.information(at: one) == (try files.information(at: other)))
      #expect(try file.information().linkCount == 2)
      // A file that has both names keeps them.
      try files.rename(one, to: other)
      #expect(try file.information().linkCount == 2)
      try files.remove(one)
      try files.remove(other)
      #expect(try files.information(at: other) == nil)
      #expect(try files.information(at: root)?.kind == .directory)
      #expect(try file.readAll() == [1, 2, 4, 0, 0])
    }
  }

  /// Runs a body on a simulated disk and in a new local directory.
  private func onBoth(_ body: (any FileSystem, FilePath) throws -> Void) throws {
    let local = LocalFileSystem()
    let root = FilePath("/tmp/keepsake-\(UInt64.random(in: .min ... .max))")
    defer { #expect(throws: Never.self) { try removeAll(root, from: local) } }
    for files: any FileSystem in [local, SimulatedDisk()] {
      try files.createDirectories(root)
      try body(files, root)
    }
  }

  private func removeAll(_ path: FilePath, from files: LocalFileSystem) throws {
    if try files.information(at: path)?.kind == .directory {
      for name in try files.contents(ofDirectory: path) {
        try removeAll(path.appending(name), from: files)
      }
    }
    try files.remove(path)
  }
}
