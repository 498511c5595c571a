package import SystemPackage

/// A file system that forwards calls to another one, except those that it implements.
package protocol ForwardingFileSystem: FileSystem {
  associatedtype Base: FileSystem
  var base: Base { get }
}

extension ForwardingFileSystem {
  package func open(_ path: FilePath, _ mode: FileOpenMode) throws(FileError) -> any OpenFile {
    try base.open(path, mode)
  }

  package func information(at path: FilePath) throws(FileError) -> FileInformation? {
    try base.information(at: path)
  }

  package func contents(ofDirectory path: FilePath) throws(FileError) -> [String] {
    try base.contents(ofDirectory: path)
  }

  package func createDirectory(_ path: FilePath) throws(FileError) {
    try base.createDirectory(path)
  }

  package func rename(_ path: FilePath, to newPath: FilePath) throws(FileError) {
    try base.rename(path, to: newPath)
  }

  package func exchange(_ path: FilePath, with otherPath: FilePath) throws(FileError) {
    try base.exchange(path, with: otherPath)
  }

  package func link(_ path: FilePath, to newPath: FilePath) throws(FileError) {
    try base.link(path, to: newPath)
  }

  package func remove(_ path: FilePath) throws(FileError) { try base.remove(path) }

  package func synchronizeDirectory(_ path: FilePath) throws(FileError) {
    try base.synchronizeDirectory(path)
  }

  package func synchronizeAll(at directory: FilePath) throws(FileError) {
    try base.synchronizeAll(at: directory)
  }

  package func lock(at path: FilePath) throws(FileError) -> any FileLock {
    try base.lock(at: path)
  }

  package func watch(
    directory: FilePath, _ handler: @escaping @Sendable (DirectoryChanges) -> Void
  ) throws(FileError) -> any FileWatch {
    try base.watch(directory: directory, handler)
  }

  package func watch(
    namesIn directory: FilePath, _ handler: @escaping @Sendable (DirectoryChanges) -> Void
  ) throws(FileError) -> any FileWatch {
    try base.watch(namesIn: directory, handler)
  }

  package func watch(
    file: FilePath, _ handler: @escaping @Sendable () -> Bool
  ) throws(FileError) -> any FileWatch {
    try base.watch(file: file, handler)
  }
}
