public import SystemPackage

/// What a watch is to tell of.
enum FileEvents: Sendable {
  /// Bytes written to the watched file.
  case bytes
  /// Files of the watched directory that were made, renamed or removed, and the directory itself where it
  /// was.
  case names
  /// The same, and files of the directory that were written and closed.
  case files
}

/// One watch for a whole process on as many files and directories as it likes.
enum FileWatcher {
  #if os(Linux) || os(Android)
  static let shared = InotifyWatcher()
  #else
  static let shared = PollingWatcher()
  #endif
}

extension LocalFileSystem {
  /// Tells when files in a directory are written, replaced, made or removed, or the directory itself is
  /// renamed or removed: by inotify(7) on Linux, by looking four times a second where there is none.
  public func watch(
    directory: FilePath, _ handler: @escaping @Sendable () -> Void
  ) throws(FileError) -> any FileWatch {
    try FileWatcher.shared.watch(directory, for: .files) {
      handler()
      return true
    }
  }

  /// Tells when files in a directory are made, renamed or removed, as ``watch(directory:_:)`` does.
  public func watch(
    namesIn directory: FilePath, _ handler: @escaping @Sendable () -> Void
  ) throws(FileError) -> any FileWatch {
    try FileWatcher.shared.watch(directory, for: .names) {
      handler()
      return true
    }
  }

  /// Tells when bytes are written to a file: by inotify(7) on Linux, by looking four times a second
  /// where there is none.
  public func watch(
    file: FilePath, _ handler: @escaping @Sendable () -> Bool
  ) throws(FileError) -> any FileWatch {
    try FileWatcher.shared.watch(file, for: .bytes, handler)
  }

  /// Opens the lock of all processes that use one set of files (fcntl(2)).
  public func lock(at path: FilePath) throws(FileError) -> any FileLock {
    try LocalFileLock(path: path)
  }
}
