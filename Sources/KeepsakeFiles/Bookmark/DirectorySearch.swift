import KeepsakeBase
import SystemPackage

/// Looks for a bookmarked directory, level by level, until it is found or enough were looked at.
struct DirectorySearch {
  /// The directory itself.
  private(set) var same: FoundDirectory?
  /// Directories with the bookmark's marker that are not the directory itself.
  private(set) var marked: [FoundDirectory] = []

  private let bookmark: DirectoryBookmark
  private var remaining: Int
  private var seen: Set<FilePath> = []

  init(for bookmark: DirectoryBookmark, limit: Int) {
    self.bookmark = bookmark
    remaining = limit
  }

  /// Searches the directories under each of some, the first of them first.
  mutating func run(from directories: [FilePath]) {
    for directory in directories {
      // Half of what is left for each, so that a large directory leaves something for the next.
      var share = directory == directories.last ? remaining : (remaining + 1) / 2
      guard let root = DirectoryBookmark.realPath(of: directory) else { continue }
      var level = [root]
      look(at: root, &share)
      while !level.isEmpty, share > 0, same == nil {
        var next: [FilePath] = []
        for parent in level where share > 0 && same == nil {
          for child in Self.directories(in: parent) where share > 0 && same == nil {
            if look(at: child, &share) { next.append(child) }
          }
        }
        level = next
      }
      if same != nil { return }
    }
  }

  /// - Returns: Whether it is a directory that was not looked at before, and can be searched.
  @discardableResult
  private mutating func look(at path: FilePath, _ share: inout Int) -> Bool {
    share -= 1
    remaining -= 1
    guard seen.insert(path).inserted else { return true }
    guard let found = try? FoundDirectory(path) else { return false }
    if bookmark.isSame(found) {
      same = found
    } else if let marker = bookmark.marker, found.marker == marker,
      // A directory may be mounted at several places.
      !marked.contains(where: { $0.identity.matches(found.identity) })
    {
      marked.append(found)
    }
    return true
  }

  /// The directories in a directory, without symbolic links and what the kernel makes up.
  private static func directories(in directory: FilePath) -> [FilePath] {
    if ["/proc", "/sys", "/dev"].contains(directory) { return [] }
    let entries = (try? LocalFileSystem().entries(ofDirectory: directory)) ?? []
    return entries.filter { $0.type == DT_DIR || $0.type == DT_UNKNOWN }.map(\.name).sorted()
      .map { directory.appending($0) }
  }
}
