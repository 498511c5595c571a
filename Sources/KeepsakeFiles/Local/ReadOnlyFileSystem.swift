package import SystemPackage

/// The machine's files, of which nothing is created, changed or locked: a call that would is the error
/// of a disk that is mounted read-only.
package struct ReadOnlyFileSystem: ForwardingFileSystem {
  package let base = LocalFileSystem()

  package init() {}

  package func open(_ path: FilePath, _ mode: FileOpenMode) throws(FileError) -> any OpenFile {
    guard mode == .read else { throw FileError(.open, path, .readOnlyFileSystem) }
    return try base.open(path, mode)
  }

  package func readFiles(
    _ names: ArraySlice<String>, inDirectory directory: FilePath,
    _ body: (String, Result<[UInt8]?, FileError>) -> Void
  ) {
    base.readFiles(names, inDirectory: directory, body)
  }

  package func createDirectory(_ path: FilePath) throws(FileError) {
    throw FileError(.createDirectory, path, .readOnlyFileSystem)
  }

  package func rename(_ path: FilePath, to newPath: FilePath) throws(FileError) {
    throw FileError(.rename, path, .readOnlyFileSystem)
  }

  package func exchange(_ path: FilePath, with otherPath: FilePath) throws(FileError) {
    throw FileError(.rename, path, .readOnlyFileSystem)
  }

  package func link(_ path: FilePath, to newPath: FilePath) throws(FileError) {
    throw FileError(.link, path, .readOnlyFileSystem)
  }

  package func remove(_ path: FilePath) throws(FileError) {
    throw FileError(.remove, path, .readOnlyFileSystem)
  }

  package func synchronizeDirectory(_ path: FilePath) throws(FileError) {}

  package func synchronizeAll(at directory: FilePath) throws(FileError) {}

  package func lock(at path: FilePath) throws(FileError) -> any FileLock {
    throw FileError(.lock, path, .readOnlyFileSystem)
  }
}
