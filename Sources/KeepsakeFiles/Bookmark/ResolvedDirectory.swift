public import SystemPackage

/// A bookmarked directory that was found.
public struct ResolvedDirectory: Hashable, Sendable {
  /// The current path.
  public let path: FilePath
  /// Whether to create and store the bookmark again: the directory was moved, or was recognized only
  /// by its marker.
  public let isStale: Bool
  let identity: DirectoryIdentity

  init(path: FilePath, identity: DirectoryIdentity, isStale: Bool) {
    self.path = path
    self.identity = identity
    self.isStale = isStale
  }

  /// Opens the directory and keeps it open until the access is stopped or released.
  ///
  /// - Throws: ``BookmarkError`` if this user may not open it, or another directory has replaced it.
  public func startAccessing() throws(BookmarkError) -> ResolvedDirectory.Access {
    do throws(FileError) {
      let directory = try OpenDirectory(path)
      let found = try DirectoryIdentity(of: directory.descriptor, at: path)
      guard found.matches(identity) else { throw FileError(.open, path, .fileExists) }
      return ResolvedDirectory.Access(directory, identity: found, path: path)
    } catch {
      if error.code == .fileExists { throw BookmarkError(.replaced, path) }
      throw BookmarkError(DirectoryBookmark.reason(error.operation, path, error.code), path)
    }
  }

  /// Opens the directory while a closure runs.
  ///
  /// - Parameter body: Uses the directory.
  /// - Throws: ``BookmarkError``, or the error that `body` throws.
  public func withAccess<Result>(_ body: (ResolvedDirectory.Access) throws -> Result) throws
    -> Result
  {
    let access = try startAccessing()
    defer { access.stop() }
    return try body(access)
  }
}
