public import SystemPackage

/// A bookmarked directory that was found.
public struct ResolvedDirectory: Hashable, Sendable {
  /// Where it is now.
  public let path: FilePath
  /// Whether the bookmark should be made and kept anew: the directory moved, or is known by its marker
  /// alone.
  public let isStale: Bool
  let identity: DirectoryIdentity

  init(path: FilePath, identity: DirectoryIdentity, isStale: Bool) {
    self.path = path
    self.identity = identity
    self.isStale = isStale
  }

  /// Opens the directory and keeps it open until the access is stopped or released.
  ///
  /// - Throws: ``BookmarkError`` where this user may not, or another directory has taken the place
  ///   since.
  public func startAccessing() throws(BookmarkError) -> DirectoryAccess {
    do throws(FileError) {
      let directory = try OpenDirectory(path)
      let found = try DirectoryIdentity(of: directory.descriptor, at: path)
      guard found.matches(identity) else { throw FileError(.open, path, .fileExists) }
      return DirectoryAccess(directory, identity: found, path: path)
    } catch {
      if error.code == .fileExists { throw BookmarkError(.replaced, path) }
      throw BookmarkError(DirectoryBookmark.reason(error.operation, path, error.code), path)
    }
  }

  /// Opens the directory for the time of a body.
  ///
  /// - Parameter body: Uses the directory.
  /// - Throws: ``BookmarkError``; whatever the body throws.
  public func withAccess<Result>(_ body: (DirectoryAccess) throws -> Result) throws -> Result {
    let access = try startAccessing()
    defer { access.stop() }
    return try body(access)
  }
}
