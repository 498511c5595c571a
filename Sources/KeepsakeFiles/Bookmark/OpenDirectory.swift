import KeepsakeBase
import SystemPackage

/// A directory that is kept open, also after it was renamed or moved.
final class OpenDirectory: Sendable {
  let descriptor: FileDescriptor

  /// Opens a directory, never through a symbolic link in the path's last component.
  init(_ path: FilePath) throws(FileError) {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    descriptor = FileDescriptor(
      rawValue: try call(.open, path) { path.withPlatformString { openFile($0, flags, 0) } })
  }

  deinit { try? descriptor.close() }

  /// The current path of the directory, or `nil` if it was removed.
  var path: FilePath? {
    var status = stat()
    guard fstat(descriptor.rawValue, &status) == 0, status.st_nlink > 0 else { return nil }
    #if canImport(Darwin)
    var buffer = [CChar](repeating: 0, count: Int(MAXPATHLEN))
    guard fcntl(descriptor.rawValue, F_GETPATH, &buffer) == 0 else { return nil }
    return FilePath(platformString: buffer)
    #else
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let link = "/proc/self/fd/\(descriptor.rawValue)"
    guard readlink(link, &buffer, Int(PATH_MAX)) > 0 else { return nil }
    return FilePath(platformString: buffer)
    #endif
  }
}
