public import SystemPackage

/// The calls by which this package reads and writes every file.
///
/// ``LocalFileSystem`` implements them with system calls. Tests use a simulated disk, which can fail any
/// call and loses all bytes that were not flushed. Each requirement corresponds to one system call:
/// operations that need several, such as ``replaceFile(at:with:)``, are in extensions, so that tests
/// with the simulated disk cover them.
///
/// No call follows a symbolic link in the last component of its path, except those that list, flush or
/// watch a directory.
public protocol FileSystem: Sendable {
  /// Opens one file.
  ///
  /// - Throws: ``FileError`` with `noSuchFileOrDirectory` if the mode does not create the file and it
  ///   does not exist, with `fileExists` if the mode is ``FileOpenMode/createNew(permissions:)`` and
  ///   it exists.
  func open(_ path: FilePath, _ mode: FileOpenMode) throws(FileError) -> any OpenFile

  /// Reads all bytes of some files of one directory.
  ///
  /// A requirement, so that a file system can read them faster; the default implementation reads one
  /// after the other.
  ///
  /// - Parameters:
  ///   - names: The names of the files.
  ///   - directory: The directory that contains all of them.
  ///   - body: Receives the name of each file with its bytes, `nil` if it does not exist, or the reason
  ///     that it cannot be read.
  /// - Complexity: O(*n*) in the bytes read.
  func readFiles(
    _ names: ArraySlice<String>, inDirectory directory: FilePath,
    _ body: (String, Result<[UInt8]?, FileError>) -> Void
  )

  /// The attributes of the file at a path, or `nil` if there is none; a symbolic link is not followed.
  func information(at path: FilePath) throws(FileError) -> FileInformation?

  /// The names in a directory, in no order.
  func contents(ofDirectory path: FilePath) throws(FileError) -> [String]

  /// Creates one directory, accessible only to its owner (0700); its parent must exist.
  ///
  /// - Throws: ``FileError`` with `fileExists` if the path exists.
  func createDirectory(_ path: FilePath) throws(FileError)

  /// Renames a file, replacing any file that has the new name.
  func rename(_ path: FilePath, to newPath: FilePath) throws(FileError)

  /// Exchanges the names of two files atomically.
  ///
  /// - Throws: ``FileError`` with `notSupported` if the file system cannot, with
  ///   `noSuchFileOrDirectory` if one of them is missing.
  func exchange(_ path: FilePath, with otherPath: FilePath) throws(FileError)

  /// Adds a hard link to a file.
  ///
  /// - Throws: ``FileError`` with `fileExists` if the new path exists; with `notPermitted`,
  ///   `notSupported` or `tooManyLinks` if the file system has no hard links, or no more for this
  ///   file.
  func link(_ path: FilePath, to newPath: FilePath) throws(FileError)

  /// Removes a file, or an empty directory.
  func remove(_ path: FilePath) throws(FileError)

  /// Flushes the names in a directory, so that they survive a power cut.
  func synchronizeDirectory(_ path: FilePath) throws(FileError)

  /// Flushes the whole file system that contains a directory, so that all bytes and names survive a
  /// power cut, including those of other programs.
  ///
  /// One such call is faster than a flush of each of many new files, but it also waits for other
  /// programs' bytes. After an error, nothing that was not flushed before can be trusted to be on
  /// the disk, as in ``OpenFile/synchronize()``.
  func synchronizeAll(at directory: FilePath) throws(FileError)

  /// Opens the lock shared by all processes that use a set of files; no part of it is held.
  ///
  /// - Parameter path: A file that has no other purpose; it is created if it is missing.
  func lock(at path: FilePath) throws(FileError) -> any FileLock

  /// Calls a handler when files in a directory are written, replaced, created or removed.
  ///
  /// - Parameters:
  ///   - directory: The directory; its subdirectories are not watched.
  ///   - handler: Called on the watcher's own thread after one or more changes; it receives their
  ///     names.
  /// - Returns: The watch, which ends when it is released.
  func watch(
    directory: FilePath, _ handler: @escaping @Sendable (DirectoryChanges) -> Void
  ) throws(FileError) -> any FileWatch

  /// Calls a handler when files in a directory are created, renamed or removed.
  ///
  /// A requirement for speed: a write that is not reported costs its writer nothing. The default
  /// implementation also reports writes to the files.
  ///
  /// - Parameters:
  ///   - directory: The directory; its subdirectories are not watched.
  ///   - handler: Called as for ``watch(directory:_:)``.
  /// - Returns: The watch, which ends when it is released.
  func watch(
    namesIn directory: FilePath, _ handler: @escaping @Sendable (DirectoryChanges) -> Void
  ) throws(FileError) -> any FileWatch

  /// Calls a handler when bytes are written to a file.
  ///
  /// - Parameters:
  ///   - file: The file, which may be removed while it is watched.
  ///   - handler: Called on the watcher's own thread, on average at most a thousand times a second; it
  ///     returns whether it found anything new, and is called less often if it did not.
  /// - Returns: The watch, which ends when it is released.
  func watch(
    file: FilePath, _ handler: @escaping @Sendable () -> Bool
  ) throws(FileError) -> any FileWatch
}

extension FileSystem {
  /// Calls a handler when files in a directory are created, removed or written.
  public func watch(
    namesIn directory: FilePath, _ handler: @escaping @Sendable (DirectoryChanges) -> Void
  ) throws(FileError) -> any FileWatch {
    try watch(directory: directory, handler)
  }
}

/// A watch on a file or a directory, which ends when it is released.
public protocol FileWatch: AnyObject, Sendable {
  /// Stops the watch for some milliseconds; then the handler is called once and the watch continues.
  ///
  /// For a program that makes many changes itself, each of which takes longer while the file is
  /// watched. The watch may ignore the call, as it does if another one watches the same file.
  func pause()
}

extension FileWatch {
  /// Does nothing.
  public func pause() {}
}
