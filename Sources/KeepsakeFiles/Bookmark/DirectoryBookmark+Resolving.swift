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
  /// In this order: the directory at the path, if it is the bookmarked one; a directory that this
  /// process has access to (``ResolvedDirectory/Access``), at its current path; a search by identity, then by
  /// marker, below the parent of the old path, below the parent's parent, and below `directories`. The
  /// search does not follow symbolic links.
  ///
  /// - Parameters:
  ///   - directories: Other directories to search; the user's home directory by default.
  ///   - limit: The maximum number of directories to open.
  /// - Throws: ``BookmarkError``, whose reason distinguishes a directory that was removed, one that was
  ///   replaced by another or by a link, and one of which there are several copies.
  /// - Complexity: O(1) if the directory was not moved; O(`limit`) otherwise.
  public func resolve(
    searching directories: [FilePath]? = nil, limit: Int = 10_000
  ) throws(BookmarkError) -> ResolvedDirectory {
    let atPath = examinePath()
    if case .directory(let found) = atPath, matches(found) {
      // A directory without the marker could not be recognized on another disk.
      let isStale = marker != nil && found.marker != marker
      return ResolvedDirectory(path: path, identity: found.identity, isStale: isStale)
    }
    if let held = ResolvedDirectory.Access.heldPath(of: identity) {
      return ResolvedDirectory(path: held, identity: identity, isStale: true)
    }

    var search = DirectorySearch(for: self, limit: limit)
    search.run(from: startingPoints(directories))
    if let found = search.match {
      return ResolvedDirectory(path: found.path, identity: found.identity, isStale: true)
    }
    // Only copies were found; one at the path, such as from a backup, is among them.
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

  private func examinePath() -> AtPath {
    do throws(FileError) {
      return .directory(try FoundDirectory(path))
    } catch {
      // Opening a link fails either with ELOOP or with ENOTDIR.
      var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
      let length = path.withPlatformString { readlink($0, &buffer, Int(PATH_MAX)) }
      if length > 0 { return .link(FilePath(platformString: buffer)) }
      return .none(Self.reason(error.operation, path, error.code))
    }
  }

  func matches(_ found: FoundDirectory) -> Bool { identity.matches(found.identity) }

  // MARK: Elsewhere

  /// The parent of the old path, the parent's parent, then the given directories.
  private func startingPoints(_ directories: [FilePath]?) -> [FilePath] {
    let parent = path.removingLastComponent()
    // A search from the root of a disk would reach the limit first.
    let points = [parent, parent.removingLastComponent()].filter { !$0.components.isEmpty }
    if let directories { return points + directories }
    let home = HomeDirectory.find(in: ProcessInfo.processInfo.environment)
    return points + (home.map { [$0] } ?? [])
  }
}

/// A directory that was examined.
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
