public import SystemPackage

/// The events that a watch reports.
enum FileEvents: Sendable {
  /// Writes to the watched file.
  case bytes
  /// Creation, renaming and removal of files of the watched directory, and renaming and removal of the
  /// directory itself.
  case names
  /// The same, and files of the directory that are closed after a write.
  case files
}

/// The watcher of this process, for any number of files and directories.
enum FileWatcher {
  #if os(Linux) || os(Android)
  static let shared = InotifyWatcher()
  #else
  static let shared = PollingWatcher()
  #endif
}

extension LocalFileSystem {
  /// Calls a handler when files in a directory are written, replaced, created or removed, or the
  /// directory itself is renamed or removed. Uses inotify(7) on Linux; elsewhere it polls four times a
  /// second.
  public func watch(
    directory: FilePath, _ handler: @escaping @Sendable (DirectoryChanges) -> Void
  ) throws(FileError) -> any FileWatch {
    try FileWatcher.shared.watch(directory, for: .files) { changes in
      handler(changes)
      return true
    }
  }

  /// Calls a handler when files in a directory are created, renamed or removed; see
  /// ``watch(directory:_:)``.
  public func watch(
    namesIn directory: FilePath, _ handler: @escaping @Sendable (DirectoryChanges) -> Void
  ) throws(FileError) -> any FileWatch {
    try FileWatcher.shared.watch(directory, for: .names) { changes in
      handler(changes)
      return true
    }
  }

  /// Calls a handler when bytes are written to a file. Uses inotify(7) on Linux; elsewhere it polls four
  /// times a second.
  public func watch(
    file: FilePath, _ handler: @escaping @Sendable () -> Bool
  ) throws(FileError) -> any FileWatch {
    try FileWatcher.shared.watch(file, for: .bytes) { _ in handler() }
  }

  /// Opens the lock shared by all processes that use a set of files (fcntl(2)).
  public func lock(at path: FilePath) throws(FileError) -> any FileLock {
    try LocalFileLock(path: path)
  }
}
