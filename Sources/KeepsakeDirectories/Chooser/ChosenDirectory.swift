import KeepsakeBase
import KeepsakeFiles
import SystemPackage

/// What every way of choosing a directory ends with.
enum ChosenDirectory {
  /// The path of a directory without symbolic links, if it exists and can be opened.
  static func check(_ path: FilePath) throws(DirectoryChooserError) -> FilePath {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    let descriptor = path.withPlatformString { open($0, flags) }
    guard descriptor >= 0 else {
      switch Errno(rawValue: errno) {
      case .noSuchFileOrDirectory: throw .missing(path)
      case .notDirectory: throw .notADirectory(path)
      case let code: throw .notReadable(path, code)
      }
    }
    defer { _ = close(descriptor) }
    guard let real = DirectoryBookmark.realPath(of: path) else { throw .missing(path) }
    return real
  }
}
