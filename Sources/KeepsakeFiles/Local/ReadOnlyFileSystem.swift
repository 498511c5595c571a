package import SystemPackage

/// The machine's files, of which nothing is created, changed or locked: a call that would is the error
/// of a disk that is mounted read-only.
package struct ReadOnlyFileSystem: FileSystem {
  private let local = LocalFileSystem()

  package init() {}

  package func open(_ path: FilePath, _ mode: FileOpenMode) throws(FileError) -> any OpenFile {
    guard mode == .read else { throw FileError(.open, path, .readOnlyFileSystem) }
    return try local.open(path, mode)
  }

  package func readFiles(
    _ names: ArraySlice<String>, inDirectory directory: FilePath,
    _ body: (String, Result<[UInt8]?, FileError>) -> Void
  ) {
    local.readFiles(names, inDirectory: directory, body)
  }

  package func information(at path: FilePath) throws(FileError) -> FileInformation? {
    try local.information(at: path)
  }

  package func contents(ofDirectory path: FilePath) throws(FileError) -> [String] {
    try local.contents(ofDirectory: path)
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

  package func watch(
    directory: FilePath, _ handler: @escaping @Sendable (DirectoryChanges) -> Void
  ) throws(FileError) -> any FileWatch {
    try local.watch(directory: directory, handler)
  }

  package func watch(
    namesIn directory: FilePath, _ handler: @escaping @Sendable (DirectoryChanges) -> Void
  ) throws(FileError) -> any FileWatch {
    try local.watch(namesIn: directory, handler)
  }

  package func watch(
    file: FilePath, _ handler: @escaping @Sendable () -> Bool
  ) throws(FileError) -> any FileWatch {
    try local.watch(file: file, handler)
  }
}
