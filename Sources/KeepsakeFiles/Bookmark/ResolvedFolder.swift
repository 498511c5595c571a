public import SystemPackage

/// A bookmarked folder that was found.
public struct ResolvedFolder: Hashable, Sendable {
  /// Where it is now.
  public let path: FilePath
  /// Whether the bookmark should be made and kept anew: the folder moved, or is known by its marker
  /// alone.
  public let isStale: Bool
  let identity: FolderIdentity

  init(path: FilePath, identity: FolderIdentity, isStale: Bool) {
    self.path = path
    self.identity = identity
    self.isStale = isStale
  }

  /// Opens the folder and keeps it open until the access is stopped or released.
  ///
  /// - Throws: ``BookmarkError`` where this user may not, or another folder has taken the place
  ///   since.
  public func startAccessing() throws(BookmarkError) -> FolderAccess {
    do throws(FileError) {
      let folder = try OpenFolder(path)
      let found = try FolderIdentity(of: folder.descriptor, at: path)
      guard found.matches(identity) else { throw FileError(.open, path, .fileExists) }
      return FolderAccess(folder, identity: found, path: path)
    } catch {
      if error.code == .fileExists { throw BookmarkError(.replaced, path) }
      throw BookmarkError(FolderBookmark.reason(error.operation, path, error.code), path)
    }
  }

  /// Opens the folder for the time of a body.
  ///
  /// - Parameter body: Uses the folder.
  /// - Throws: ``BookmarkError``; whatever the body throws.
  public func withAccess<Result>(_ body: (FolderAccess) throws -> Result) throws -> Result {
    let access = try startAccessing()
    defer { access.stop() }
    return try body(access)
  }
}
