import KeepsakeBase
import SystemPackage

/// Looks for a bookmarked folder, level by level, until it is found or enough were looked at.
struct FolderSearch {
  /// The folder itself.
  private(set) var same: FoundFolder?
  /// Folders with the bookmark's marker that are not the folder itself.
  private(set) var marked: [FoundFolder] = []

  private let bookmark: FolderBookmark
  private var remaining: Int
  private var seen: Set<FilePath> = []

  init(for bookmark: FolderBookmark, limit: Int) {
    self.bookmark = bookmark
    remaining = limit
  }

  /// Searches the folders under each of some, the first of them first.
  mutating func run(from folders: [FilePath]) {
    for folder in folders {
      // Half of what is left for each, so that a large folder leaves something for the next.
      var share = folder == folders.last ? remaining : (remaining + 1) / 2
      guard let root = FolderBookmark.realPath(of: folder) else { continue }
      var level = [root]
      look(at: root, &share)
      while !level.isEmpty, share > 0, same == nil {
        var next: [FilePath] = []
        for parent in level where share > 0 && same == nil {
          for child in Self.folders(in: parent) where share > 0 && same == nil {
            if look(at: child, &share) { next.append(child) }
          }
        }
        level = next
      }
      if same != nil { return }
    }
  }

  /// - Returns: Whether it is a folder that was not looked at before, and can be searched.
  @discardableResult
  private mutating func look(at path: FilePath, _ share: inout Int) -> Bool {
    share -= 1
    remaining -= 1
    guard seen.insert(path).inserted else { return true }
    guard let found = try? FoundFolder(path) else { return false }
    if bookmark.isSame(found) {
      same = found
    } else if let marker = bookmark.marker, found.marker == marker,
      // A folder may be mounted at several places.
      !marked.contains(where: { $0.identity.matches(found.identity) })
    {
      marked.append(found)
    }
    return true
  }

  /// The folders in a folder, without symbolic links and what the kernel makes up.
  private static func folders(in folder: FilePath) -> [FilePath] {
    if ["/proc", "/sys", "/dev"].contains(folder) { return [] }
    let entries = (try? LocalFileSystem().entries(ofFolder: folder)) ?? []
    return entries.filter { $0.type == DT_DIR || $0.type == DT_UNKNOWN }.map(\.name).sorted()
      .map { folder.appending($0) }
  }
}
