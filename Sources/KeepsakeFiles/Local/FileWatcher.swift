public import SystemPackage

/// What a watch is to tell of.
enum FileEvents: Sendable {
  /// Bytes written to the watched file.
  case bytes
  /// Files of the watched folder that were written and closed, made, renamed or removed, and the
  /// folder itself where it was.
  case names
}

/// One watch for a whole process on as many files and folders as it likes.
enum FileWatcher {
  #if os(Linux) || os(Android)
  static let shared = InotifyWatcher()
  #else
  static let shared = PollingWatcher()
  #endif
}

extension LocalFileSystem {
  /// Tells when files in a folder are written, replaced, made or removed, or the folder itself is
  /// renamed or removed: by inotify(7) on Linux, by looking four times a second where there is none.
  public func watch(
    folder: FilePath, _ handler: @escaping @Sendable () -> Void
  ) throws(FileError) -> any FileWatch {
    try FileWatcher.shared.watch(folder, for: .names, handler)
  }

  /// Opens the coordination of all processes that use one set of files: through shared memory where
  /// the file system is a disk of this machine, by flock(2) elsewhere.
  public func coordinator(at path: FilePath) throws(FileError) -> any FileCoordinator {
    #if os(Linux) || os(Android)
    do throws(FileError) {
      return try SharedMemoryCoordinator(path: path)
    } catch {
      if error.code != .notSupported { throw error }
    }
    #endif
    return try AdvisoryLockCoordinator(path: path)
  }
}
