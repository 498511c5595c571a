import KeepsakeBase
public import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
extension FolderBookmark {
  /// Finds the folder.
  ///
  /// In this order: the folder at the path, if it is the one; one that this process has access to
  /// (``FolderAccess``), wherever it is now; a search by identity, then by marker, through what is
  /// under the folder that the old path was in, under the one above it, and under those that are
  /// given. A search follows no symbolic link.
  ///
  /// - Parameters:
  ///   - folders: Where else to search; the user's home by default.
  ///   - limit: How many folders are opened at most.
  /// - Throws: ``BookmarkError``, which tells a folder that is gone from one that was replaced by
  ///   another, by a link, or exists in several copies.
  /// - Complexity: O(1) where the folder is where it was; O(`limit`) otherwise.
  public func resolve(
    searching folders: [FilePath]? = nil, limit: Int = 10_000
  ) throws(BookmarkError) -> ResolvedFolder {
    let atPath = lookAtPath()
    if case .folder(let found) = atPath, isSame(found) {
      // A folder that lost its marker, or never took one, would not be known on another disk.
      let isStale = marker != nil && found.marker != marker
      return ResolvedFolder(path: path, identity: found.identity, isStale: isStale)
    }
    if let held = FolderAccess.heldPath(of: identity) {
      return ResolvedFolder(path: held, identity: identity, isStale: true)
    }

    var search = FolderSearch(for: self, limit: limit)
    search.run(from: startingPoints(folders))
    if let found = search.same {
      return ResolvedFolder(path: found.path, identity: found.identity, isStale: true)
    }
    // Only copies are left; the one at the path, such as from a backup, counts among them.
    switch search.marked.count {
    case 0: break
    case 1:
      let found = search.marked[0]
      return ResolvedFolder(path: found.path, identity: found.identity, isStale: true)
    default:
      throw BookmarkError(
        .ambiguous(search.marked.map(\.path).sorted { $0.string < $1.string }), path)
    }
    switch atPath {
    case .folder: throw BookmarkError(.replaced, path)
    case .link(let target): throw BookmarkError(.symbolicLink(to: target), path)
    case .none(let reason): throw BookmarkError(reason, path)
    }
  }

  // MARK: At the path

  private enum AtPath {
    case folder(FoundFolder)
    case link(FilePath)
    case none(BookmarkError.Reason)
  }

  private func lookAtPath() -> AtPath {
    do throws(FileError) {
      return .folder(try FoundFolder(path))
    } catch {
      // What opens no link says either that it is one or that it is no folder.
      var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
      let length = path.withPlatformString { readlink($0, &buffer, Int(PATH_MAX)) }
      if length > 0 { return .link(FilePath(platformString: buffer)) }
      return .none(Self.reason(error.operation, path, error.code))
    }
  }

  func isSame(_ found: FoundFolder) -> Bool { identity.matches(found.identity) }

  // MARK: Elsewhere

  /// The folder that the old path was in, the one above it, then those that were given.
  private func startingPoints(_ folders: [FilePath]?) -> [FilePath] {
    let parent = path.removingLastComponent()
    // Whoever searches all of a disk finds nothing sooner than his limit.
    let points = [parent, parent.removingLastComponent()].filter { !$0.components.isEmpty }
    return points + (folders ?? Self.home.map { [$0] } ?? [])
  }

  private static var home: FilePath? {
    ProcessInfo.processInfo.environment["HOME"].map { FilePath($0) }
  }
}

/// A folder that was looked at.
struct FoundFolder {
  let path: FilePath
  let identity: FolderIdentity
  let marker: String?

  init(_ path: FilePath) throws(FileError) {
    let folder = try OpenFolder(path)
    self.path = path
    identity = try FolderIdentity(of: folder.descriptor, at: path)
    marker = FolderMarker.read(folder.descriptor)
  }
}
