import KeepsakeBase
import SystemPackage

/// Searches for a bookmarked directory, level by level, until it is found or the limit is reached.
struct DirectorySearch {
  /// The bookmarked directory.
  private(set) var match: FoundDirectory?
  /// Other directories with the bookmark's marker.
  private(set) var marked: [FoundDirectory] = []

  private let bookmark: DirectoryBookmark
  private var remaining: Int
  private var seen: Set<FilePath> = []

  init(for bookmark: DirectoryBookmark, limit: Int) {
    self.bookmark = bookmark
    remaining = limit
  }

  /// Searches the directories below each given directory, in order.
  mutating func run(from directories: [FilePath]) {
    for directory in directories {
      // Each may use half of what remains, so that a large directory leaves some for the next.
      var share = directory == directories.last ? remaining : (remaining + 1) / 2
      guard let root = DirectoryBookmark.realPath(of: directory) else { continue }
      var level = [root]
      examine(root, &share)
      while !level.isEmpty, share > 0, match == nil {
        var next: [FilePath] = []
        for parent in level where share > 0 && match == nil {
          for child in Self.directories(in: parent) where share > 0 && match == nil {
            if examine(child, &share) { next.append(child) }
          }
        }
        level = next
      }
      if match != nil { return }
    }
  }

  /// - Returns: Whether it is a directory that can be searched.
  @discardableResult
  private mutating func examine(_ path: FilePath, _ share: inout Int) -> Bool {
    share -= 1
    remaining -= 1
    guard seen.insert(path).inserted else { return true }
    guard let found = try? FoundDirectory(path) else { return false }
    if bookmark.matches(found) {
      match = found
    } else if let marker = bookmark.marker, found.marker == marker,
      // A directory may be mounted at several paths.
      !marked.contains(where: { $0.identity.matches(found.identity) })
    {
      marked.append(found)
    }
    return true
  }

  /// The directories in a directory, without symbolic links and the kernel's virtual file systems.
  private static func directories(in directory: FilePath) -> [FilePath] {
    if ["/proc", "/sys", "/dev"].contains(directory) { return [] }
    var names: [String] = []
    try? LocalFileSystem().visitEntries(ofDirectory: directory) { name, type in
      if type == DT_DIR || type == DT_UNKNOWN { names.append(name) }
    }
    return names.sorted().map { directory.appending($0) }
  }
}
