public import SystemPackage

/// A bookmark that cannot be made or leads to no directory: why, and where the search went.
public struct BookmarkError: Error, Hashable, Sendable {
  /// What kind of fault it is.
  public enum Reason: Hashable, Sendable {
    /// The directory is nowhere that was searched: removed, or on a disk that is not mounted.
    case missing
    /// Another directory has the name, and the one that was meant is nowhere that was searched.
    case replaced
    /// A symbolic link has the name, and the directory is nowhere that was searched.
    case symbolicLink(to: FilePath)
    /// Something that is not a directory has the name.
    case notADirectory
    /// Several directories carry the bookmark's marker, copies of one another; none is the one that was
    /// bookmarked itself.
    case ambiguous([FilePath])
    /// The directory is there, and this user may not open it.
    case notPermitted
    /// The data are no bookmark.
    case unreadable
    /// A call to the file system failed.
    case failed(FileError)
  }

  /// What kind of fault it is.
  public var reason: Reason
  /// The path that was bookmarked.
  public var path: FilePath

  init(_ reason: Reason, _ path: FilePath) {
    self.reason = reason
    self.path = path
  }
}

extension BookmarkError: CustomStringConvertible {
  /// One sentence that names the directory and what was found.
  public var description: String {
    switch reason {
    case .missing: "the directory '\(path)' is gone: it was removed, or its disk is not mounted"
    case .replaced: "another directory is in the place of '\(path)'"
    case .symbolicLink(let target):
      "a symbolic link to '\(target)' is in the place of the directory '\(path)'; choose the directory "
        + "itself again"
    case .notADirectory: "'\(path)' is not a directory"
    case .ambiguous(let paths):
      "the directory '\(path)' is gone, and several are copies of it: "
        + paths.map { "'\($0)'" }.joined(separator: ", ")
    case .notPermitted: "this user may not open the directory '\(path)'"
    case .unreadable: "the data are no bookmark of a directory"
    case .failed(let error): "the directory '\(path)' cannot be looked at: \(error)"
    }
  }
}
