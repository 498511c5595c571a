import KeepsakeBase
public import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
extension DirectoryBookmark {
  /// Finds the directory.
  ///
  /// In this order: the directory at the path, if it is the one; one that this process has access to
  /// (``DirectoryAccess``), wherever it is now; a search by identity, then by marker, through what is
  /// under the directory that the old path was in, under the one above it, and under those that are
  /// given. A search follows no symbolic link.
  ///
  /// - Parameters:
  ///   - directories: Where else to search; the user's home by default.
  ///   - limit: How many directories are opened at most.
  /// - Throws: ``BookmarkError``, which tells a directory that is gone from one that was replaced by
  ///   another, by a link, or exists in several copies.
  /// - Complexity: O(1) where the directory is where it was; O(`limit`) otherwise.
  public func resolve(
    searching directories: [FilePath]? = nil, limit: Int = 10_000
  ) throws(BookmarkError) -> ResolvedDirectory {
    let atPath = lookAtPath()
    if case .directory(let found) = atPath, isSame(found) {
      // A directory that lost its marker, or never took one, would not be known on another disk.
      let isStale = marker != nil && found.marker != marker
      return ResolvedDirectory(path: path, identity: found.identity, isStale: isStale)
    }
    if let held = DirectoryAccess.heldPath(of: identity) {
      return ResolvedDirectory(path: held, identity: identity, isStale: true)
    }

    var search = DirectorySearch(for: self, limit: limit)
    search.run(from: startingPoints(directories))
    if let found = search.same {
      return ResolvedDirectory(path: found.path, identity: found.identity, isStale: true)
    }
    // Only copies are left; the one at the path, such as from a backup, counts among them.
    switch search.marked.count {
    case 0: break
    case 1:
      let found = search.marked[0]
      return ResolvedDirectory(path: found.path, identity: found.identity, isStale: true)
    default:
      throw BookmarkError(
        .ambiguous(search.marked.map(\.path).sorted { $0.string < $1.string }), path)
    }
    switch atPath {
    case .directory: throw BookmarkError(.replaced, path)
    case .link(let target): throw BookmarkError(.symbolicLink(to: target), path)
    case .none(let reason): throw BookmarkError(reason, path)
    }
  }

  // MARK: At the path

  private enum AtPath {
    case directory(FoundDirectory)
    case link(FilePath)
    case none(BookmarkError.Reason)
  }

  private func lookAtPath() -> AtPath {
    do throws(FileError) {
      return .directory(try FoundDirectory(path))
    } catch {
      // What opens no link says either that it is one or that it is not a directory.
      var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
      let length = path.withPlatformString { readlink($0, &buffer, Int(PATH_MAX)) }
      if length > 0 { return .link(FilePath(platformString: buffer)) }
      return .none(Self.reason(error.operation, path, error.code))
    }
  }

  func isSame(_ found: FoundDirectory) -> Bool { identity.matches(found.identity) }

  // MARK: Elsewhere

  /// The directory that the old path was in, the one above it, then those that were given.
  private func startingPoints(_ directories: [FilePath]?) -> [FilePath] {
    let parent = path.removingLastComponent()
    // Whoever searches all of a disk finds nothing sooner than his limit.
    let points = [parent, parent.removingLastComponent()].filter { !$0.components.isEmpty }
    return points + (directories ?? Self.home.map { [$0] } ?? [])
  }

  private static var home: FilePath? {
    ProcessInfo.processInfo.environment["HOME"].map { FilePath($0) }
  }
}

/// A directory that was looked at.
struct FoundDirectory {
  let path: FilePath
  let identity: DirectoryIdentity
  let marker: String?

  init(_ path: FilePath) throws(FileError) {
    let directory = try OpenDirectory(path)
    self.path = path
    identity = try DirectoryIdentity(of: directory.descriptor, at: path)
    marker = DirectoryMarker.read(directory.descriptor)
  }
}
