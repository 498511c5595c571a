internal import CSystemCalls
import KeepsakeBase
public import SystemPackage

/// The local file system, accessed with system calls.
///
/// Interrupted calls are repeated, child processes inherit no file descriptor (O_CLOEXEC), and a
/// symbolic link in a path's last component is not followed.
public struct LocalFileSystem: FileSystem {
  /// Creates the local file system.
  public init() {}

  /// Opens one file, never through a symbolic link; see ``FileSystem/open(_:_:)``.
  ///
  /// A file that the superuser creates belongs to the owner of its directory.
  public func open(_ path: FilePath, _ mode: FileOpenMode) throws(FileError) -> any OpenFile {
    // Without O_NONBLOCK, opening a pipe waits until another process opens its other end.
    var flags = O_NOFOLLOW | O_NONBLOCK
    var permissions = FilePermissions.ownerReadWrite
    switch mode {
    case .read: flags |= O_RDONLY
    case .append: flags |= O_RDWR | O_APPEND
    case .appendCreating: flags |= O_RDWR | O_APPEND | O_CREAT
    case .createNew(let requested):
      flags |= O_RDWR | O_APPEND | O_CREAT | O_EXCL
      permissions = requested
    }
    let descriptor: Int32
    do throws(FileError) {
      descriptor = try open(path, flags, permissions)
    } catch {
      // If a file server has a lease on the file, O_NONBLOCK fails instead of waiting for its end.
      guard error.code == .resourceTemporarilyUnavailable,
        try information(at: path)?.kind == .file
      else { throw error }
      descriptor = try open(path, flags & ~O_NONBLOCK, permissions)
    }
    if flags & O_CREAT != 0 { Self.assignToDirectoryOwner(descriptor, at: path) }
    let file = LocalFile(descriptor: descriptor, path: path)
    // A file that O_EXCL created is a regular one.
    if flags & O_EXCL != 0 { return file }
    // Anything but a regular file would fail, or block, only at its first read, far from the cause.
    switch try file.information().kind {
    case .file: return file
    case .directory: throw FileError(.open, path, .isDirectory)
    case .symbolicLink, .other: throw FileError(.open, path, .invalidArgument)
    }
  }

  private func open(
    _ path: FilePath, _ flags: Int32, _ permissions: FilePermissions = .ownerReadWrite
  ) throws(FileError) -> Int32 {
    try call(.open, path) {
      path.withPlatformString { openFile($0, flags | O_CLOEXEC, permissions.rawValue) }
    }
  }

  /// The attributes of the file at a path (lstat(2)), or `nil` if there is none.
  public func information(at path: FilePath) throws(FileError) -> FileInformation? {
    var status = stat()
    do throws(FileError) {
      try call(.examine, path) { path.withPlatformString { lstat($0, &status) } }
    } catch {
      // ENOTDIR: a parent is not a directory, so the file does not exist either.
      if error.code == .noSuchFileOrDirectory || error.code == .notDirectory { return nil }
      throw error
    }
    return FileInformation(status)
  }

  /// The names in a directory (readdir(3)), in no order.
  public func contents(ofDirectory path: FilePath) throws(FileError) -> [String] {
    var names: [String] = []
    try visitEntries(ofDirectory: path) { name, _ in names.append(name) }
    return names
  }

  /// Calls a closure with each name in a directory and its type (`d_type`), which a file system may not
  /// report.
  package func visitEntries(
    ofDirectory path: FilePath, _ body: (_ name: String, _ type: UInt8) -> Void
  ) throws(FileError) {
    guard let stream = path.withPlatformString({ opendir($0) }) else {
      throw FileError(.list, path, .current)
    }
    defer { closedir(stream) }
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw FileError(.list, path, .current) }
        return
      }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(cString: bytes.baseAddress!.assumingMemoryBound(to: CChar.self))
      }
      if name != "." && name != ".." { body(name, entry.pointee.d_type) }
    }
  }

  /// Creates one directory, accessible only to its owner (mkdir(2)).
  ///
  /// One that the superuser creates belongs to the owner of the directory that contains it.
  public func createDirectory(_ path: FilePath) throws(FileError) {
    try call(.createDirectory, path) { path.withPlatformString { mkdir($0, 0o700) } }
    guard geteuid() == 0, let directory = try? open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    else { return }
    Self.assignToDirectoryOwner(directory, at: path)
    _ = close(directory)
  }

  /// Renames a file, replacing any file that has the new name (rename(2)).
  public func rename(_ path: FilePath, to newPath: FilePath) throws(FileError) {
    try call(.rename, path) {
      path.withPlatformString { old in
        newPath.withPlatformString { new in renameFile(old, new) }
      }
    }
  }

  /// Exchanges the names of two files atomically (renameat2(2); on Darwin renamex_np(2)).
  public func exchange(_ path: FilePath, with otherPath: FilePath) throws(FileError) {
    do throws(FileError) {
      try call(.rename, path) {
        path.withPlatformString { first in
          otherPath.withPlatformString { second in exchangeFiles(first, second) }
        }
      }
    } catch {
      // EINVAL from a file system that does not support it, ENOSYS from a kernel without the call.
      guard error.code == .invalidArgument || error.code == .noFunction else { throw error }
      throw FileError(.rename, path, .notSupported)
    }
  }

  /// Adds a hard link to a file (linkat(2)); a symbolic link is not followed.
  public func link(_ path: FilePath, to newPath: FilePath) throws(FileError) {
    try call(.link, path) {
      path.withPlatformString { old in
        newPath.withPlatformString { new in linkat(AT_FDCWD, old, AT_FDCWD, new, 0) }
      }
    }
  }

  /// Removes a file, or an empty directory.
  public func remove(_ path: FilePath) throws(FileError) {
    try call(.remove, path) { path.withPlatformString { removeFile($0) } }
  }

  /// Flushes the names in a directory, so that they survive a power cut (fsync(2)).
  public func synchronizeDirectory(_ path: FilePath) throws(FileError) {
    let directory = try openDirectory(path)
    try call(.synchronize, path) { fsync(directory.descriptor) }
  }

  /// Flushes the whole file system that contains a directory, so that it survives a power cut.
  ///
  /// On Linux it uses syncfs(2), which reports write errors since Linux 5.8; on Darwin
  /// fsync_volume_np(2). Elsewhere it uses sync(2), which reports no errors, and on some systems
  /// returns before everything is written.
  public func synchronizeAll(at directory: FilePath) throws(FileError) {
    try openDirectory(directory).synchronizeAll()
  }

  private func openDirectory(_ path: FilePath) throws(FileError) -> LocalFile {
    LocalFile(
      descriptor: try call(.synchronize, path) {
        path.withPlatformString { openFile($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0) }
      }, path: path)
  }
}

/// Repeats a system call until no signal interrupts it, and throws its error.
@discardableResult
func call(
  _ operation: FileError.Operation, _ path: FilePath, _ body: () -> Int32
) throws(FileError) -> Int32 {
  while true {
    let result = body()
    if result >= 0 { return result }
    let code = Errno.current
    if code != .interrupted { throw FileError(operation, path, code) }
  }
}

extension Errno {
  /// The error code of the system call that just failed on this thread.
  static var current: Errno { Errno(rawValue: errno) }
}

// The system calls whose names are hidden by methods of the type above.
func openFile(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 {
  open(path, flags, mode)
}
private func renameFile(_ old: UnsafePointer<CChar>, _ new: UnsafePointer<CChar>) -> Int32 {
  rename(old, new)
}
private func exchangeFiles(_ first: UnsafePointer<CChar>, _ second: UnsafePointer<CChar>) -> Int32 {
  #if os(Linux) || os(Android)
  return keepsake_exchange(first, second)
  #elseif canImport(Darwin)
  return renamex_np(first, second, UInt32(RENAME_SWAP))
  #else
  errno = ENOSYS
  return -1
  #endif
}
func synchronizeFileSystem(of descriptor: Int32) -> Int32 {
  #if os(Linux) || os(Android)
  return keepsake_syncfs(descriptor)
  #elseif canImport(Darwin)
  return fsync_volume_np(descriptor, SYNC_VOLUME_FULLSYNC | SYNC_VOLUME_WAIT)
  #else
  sync()
  return 0
  #endif
}
private func removeFile(_ path: UnsafePointer<CChar>) -> Int32 {
  remove(path)
}

extension FileInformation {
  init(_ status: stat) {
    let kind: Kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .directory
      case S_IFLNK: .symbolicLink
      default: .other
      }
    #if canImport(Darwin)
    let modified = status.st_mtimespec
    #else
    let modified = status.st_mtim
    #endif
    self.init(
      kind: kind, size: Int64(status.st_size), linkCount: Int(status.st_nlink),
      permissions: FilePermissions(rawValue: CModeT(status.st_mode & 0o7777)),
      identity: FileInformation.Identity(
        device: UInt64(truncatingIfNeeded: status.st_dev),
        number: UInt64(truncatingIfNeeded: status.st_ino)),
      modified: FileInformation.nanoseconds(Int64(modified.tv_sec), Int64(modified.tv_nsec)))
  }
}
