import KeepsakeBase
import KeepsakeFiles
import SystemPackage

/// Visits every entry below a directory, each directory through its parent's descriptor, so that no link
/// in a path can lead out.
struct DirectoryWalk {
  private(set) var files: [FilePath] = []
  private(set) var skipped: [DirectoryContents.SkippedEntry] = []

  private let directory: FilePath
  private let limit: Int
  private var count = 0

  init(of directory: FilePath, limit: Int) {
    self.directory = directory
    self.limit = limit
  }

  mutating func run() throws(DirectoryContentsError) {
    let descriptor = directory.withPlatformString { Self.openDirectory(AT_FDCWD, $0) }
    if descriptor < 0 { throw .failed(FileError(.list, directory, Errno(rawValue: errno))) }
    try visit(descriptor, at: FilePath(), depth: 0)
  }

  /// Visits the entries of an open directory and closes it.
  private mutating func visit(
    _ descriptor: Int32, at path: FilePath, depth: Int
  ) throws(DirectoryContentsError) {
    guard let stream = fdopendir(descriptor) else {
      let code = Errno(rawValue: errno)
      _ = close(descriptor)
      throw .failed(FileError(.list, directory.pushing(path), code))
    }
    defer { closedir(stream) }
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        let code = Errno(rawValue: errno)
        if code.rawValue != 0 { throw .failed(FileError(.list, directory.pushing(path), code)) }
        return
      }
      // By bytes: a name need not be UTF-8.
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        FilePath(
          platformString: bytes.baseAddress!.assumingMemoryBound(to: CInterop.PlatformChar.self))
      }
      guard let component = name.components.first, name.string.first != "." else { continue }
      count += 1
      if count > limit { throw .tooManyEntries(directory, limit: limit) }
      try visitEntry(name, at: path.appending(component), in: descriptor, depth: depth)
    }
  }

  private mutating func visitEntry(
    _ name: FilePath, at path: FilePath, in parent: Int32, depth: Int
  ) throws(DirectoryContentsError) {
    func skip(_ reason: DirectoryContents.SkippedEntry.Reason) {
      skipped.append(DirectoryContents.SkippedEntry(path: path, reason: reason))
    }
    var status = stat()
    // An entry that was removed since is no longer one.
    guard name.withPlatformString({ fstatat(parent, $0, &status, AT_SYMLINK_NOFOLLOW) }) == 0
    else { return }
    switch status.st_mode & S_IFMT {
    case S_IFREG: files.append(path)
    case S_IFLNK: skip(.symbolicLink(to: Self.target(of: name, in: parent)))
    case S_IFDIR where depth == DirectoryContents.maximumDepth: skip(.tooDeep)
    case S_IFDIR:
      let child = name.withPlatformString { Self.openDirectory(parent, $0) }
      if child < 0 { return skip(.notReadable(Errno(rawValue: errno))) }
      try visit(child, at: path, depth: depth + 1)
    default: skip(.notAFile)
    }
  }

  private static func openDirectory(
    _ parent: Int32, _ name: UnsafePointer<CInterop.PlatformChar>
  ) -> Int32 {
    openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
  }

  private static func target(of name: FilePath, in parent: Int32) -> FilePath {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let length = name.withPlatformString { readlinkat(parent, $0, &buffer, Int(PATH_MAX)) }
    return length > 0 ? FilePath(platformString: buffer) : FilePath()
  }
}
