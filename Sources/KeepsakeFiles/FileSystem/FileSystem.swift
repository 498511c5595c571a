public import SystemPackage

/// The calls through which every byte of this package reaches a disk.
///
/// ``LocalFileSystem`` makes them with system calls; a test makes them with a simulated disk that
/// fails any call and loses whatever was not flushed. The calls are as thin as the platform's own:
/// what is built from several of them, such as ``replaceFile(at:with:)``, stands in an extension,
/// so that the simulated disk tries it too.
///
/// No call follows a symbolic link in the last component of its path.
public protocol FileSystem: Sendable {
  /// Opens one file.
  ///
  /// - Throws: ``FileError`` with `noSuchFileOrDirectory` where the mode creates nothing and
  ///   nothing is there, with `fileExists` where ``FileOpenMode/createNew(permissions:)`` finds
  ///   something.
  func open(_ path: FilePath, _ mode: FileOpenMode) throws(FileError) -> any OpenFile

  /// Reads files of one directory, each whole.
  ///
  /// A requirement, so that a file system can do more at a time; the default implementation reads
  /// one after the other.
  ///
  /// - Parameters:
  ///   - names: The names of the files.
  ///   - directory: The directory that all of them are in.
  ///   - body: Given the name and the bytes of each in turn, or `nil` where there is none, or why it
  ///     cannot be read.
  /// - Complexity: O(*n*) in the bytes read.
  func readFiles(
    _ names: ArraySlice<String>, inDirectory directory: FilePath,
    _ body: (String, Result<[UInt8]?, FileError>) -> Void
  )

  /// What is at a path, or `nil` where nothing is; a symbolic link is described itself.
  func information(at path: FilePath) throws(FileError) -> FileInformation?

  /// The names in a directory, in no order.
  func contents(ofDirectory path: FilePath) throws(FileError) -> [String]

  /// Makes one directory for its owner alone (0700); its parent must be there.
  ///
  /// - Throws: ``FileError`` with `fileExists` where something is at the path already.
  func createDirectory(_ path: FilePath) throws(FileError)

  /// Gives a file another name, in place of whatever file had that name.
  func rename(_ path: FilePath, to newPath: FilePath) throws(FileError)

  /// Gives each of two files the other's name, in one step.
  ///
  /// - Throws: ``FileError`` with `notSupported` where the file system cannot, with
  ///   `noSuchFileOrDirectory` where one of them is missing.
  func exchange(_ path: FilePath, with otherPath: FilePath) throws(FileError)

  /// Gives a file one more name.
  ///
  /// - Throws: ``FileError`` with `fileExists` where something has the new name; with
  ///   `notPermitted`, `notSupported` or `tooManyLinks` where the file system has one name for a
  ///   file, or no more for this one.
  func link(_ path: FilePath, to newPath: FilePath) throws(FileError)

  /// Removes a file, or an empty directory.
  func remove(_ path: FilePath) throws(FileError)

  /// Returns once the names in a directory would survive a power cut.
  func synchronizeDirectory(_ path: FilePath) throws(FileError)

  /// Returns once everything that was written to the file system which holds a directory would survive
  /// a power cut: the bytes and the names, whoever wrote them.
  ///
  /// One such call in place of a flush for each file is what makes many new files cheap; it waits
  /// for other programs' bytes too. After an error nothing that was not flushed before can be
  /// trusted to be on the disk, as in ``OpenFile/synchronize()``.
  func synchronizeAll(at directory: FilePath) throws(FileError)

  /// Opens the lock of all processes that use one set of files; none of its parts is held.
  ///
  /// - Parameter path: A file of this purpose alone, made where it is missing.
  func lock(at path: FilePath) throws(FileError) -> any FileLock

  /// Tells when files in a directory are written, replaced, made or removed.
  ///
  /// - Parameters:
  ///   - directory: The directory; its subdirectories are not watched.
  ///   - handler: Called on a thread of the watcher's own after each change, or after several; it
  ///     looks for itself what changed.
  /// - Returns: The watch, which ends when it is released.
  func watch(
    directory: FilePath, _ handler: @escaping @Sendable () -> Void
  ) throws(FileError) -> any FileWatch

  /// Tells when files in a directory are made, removed, or get or lose a name.
  ///
  /// A requirement for the sake of speed: what is not told of costs who writes nothing. The default
  /// implementation tells of what is written to the files, too.
  ///
  /// - Parameters:
  ///   - directory: The directory; its subdirectories are not watched.
  ///   - handler: Called as for ``watch(directory:_:)``.
  /// - Returns: The watch, which ends when it is released.
  func watch(
    namesIn directory: FilePath, _ handler: @escaping @Sendable () -> Void
  ) throws(FileError) -> any FileWatch

  /// Tells when bytes are written to a file.
  ///
  /// - Parameters:
  ///   - file: The file, which may be removed while it is watched.
  ///   - handler: Called as for ``watch(directory:_:)``, in the long run at most a thousand times a
  ///     second; it returns whether it found anything new, and is called less often where it does not.
  /// - Returns: The watch, which ends when it is released.
  func watch(
    file: FilePath, _ handler: @escaping @Sendable () -> Bool
  ) throws(FileError) -> any FileWatch
}

extension FileSystem {
  /// Tells when files in a directory are made, removed, or written to.
  public func watch(
    namesIn directory: FilePath, _ handler: @escaping @Sendable () -> Void
  ) throws(FileError) -> any FileWatch {
    try watch(directory: directory, handler)
  }
}

/// A watch on a file or a directory, which ends when it is released.
public protocol FileWatch: AnyObject, Sendable {
  /// Stops the watch for some milliseconds, after which the handler is called once and the watch goes on.
  ///
  /// For a program in the middle of many changes of its own, each of which takes longer while it is
  /// watched. A watch may go on all the same, as one does where another watches the same file.
  func pause()
}

extension FileWatch {
  /// Does nothing.
  public func pause() {}
}
