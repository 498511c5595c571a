import SystemPackage

/// What a page is going to send of a drop: all directories and files, by their relative paths.
struct DropManifest: Decodable, Equatable, Sendable {
  struct File: Decodable, Equatable, Sendable {
    let path: String
    let size: Int
  }

  /// The directories, each after the one that it is in.
  var directories: [String] = []
  /// The files, in the order in which they are numbered.
  var files: [File] = []
  /// Where the drop was, from the upper left corner of the view.
  var x = 0.0
  var y = 0.0

  /// The paths that are in no other.
  var roots: [(path: String, isDirectory: Bool)] {
    (directories.map { ($0, true) } + files.map { ($0.path, false) }).filter { !$0.0.contains("/") }
  }

  /// Checks everything that can be known before the first file is sent.
  func check(_ limits: DropLimits) throws(DropError) {
    let paths = directories + files.map(\.path)
    if paths.isEmpty { throw .empty }
    if paths.count > limits.entries { throw .tooManyEntries(limit: limits.entries) }
    // By bytes: two strings may be equal and their bytes not.
    var known: Set<FilePath> = []
    let parents = Set(directories.map { FilePath($0) })
    for (index, path) in paths.enumerated() {
      guard Self.isUsable(path, limits) else { throw .unusablePath(path) }
      let parent = FilePath(path).removingLastComponent()
      let isInPlace =
        parent.isEmpty || (index < directories.count ? known : parents).contains(parent)
      guard isInPlace, known.insert(FilePath(path)).inserted else { throw .misplacedPath(path) }
    }
    for file in files where file.size < 0 || file.size > limits.fileSize {
      throw .fileTooLarge(file.path, limit: limits.fileSize)
    }
    // No overflow: both factors have limits.
    if files.reduce(0, { $0 + $1.size }) > limits.totalSize {
      throw .tooLarge(limit: limits.totalSize)
    }
  }

  /// Whether a path consists of names, so that it cannot lead out of the directory that it is in.
  private static func isUsable(_ path: String, _ limits: DropLimits) -> Bool {
    let names = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return path.utf8.count <= limits.pathLength && names.count <= limits.depth
      && names.allSatisfy { name in
        // NAME_MAX is 255 on every file system in use.
        !name.isEmpty && name.count <= 255 && !name.elementsEqual(".".utf8)
          && !name.elementsEqual("..".utf8) && !name.contains(0)
      }
  }
}
