public import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An error that occurred when a bookmark was created or resolved.
public struct BookmarkError: Error, Hashable, Sendable {
  /// What happened.
  @nonexhaustive public enum Reason: Hashable, Sendable {
    /// The directory was not found: it was removed, or its disk is not mounted.
    case missing
    /// Another directory has the name, and the bookmarked directory was not found.
    case replaced
    /// A symbolic link has the name, and the directory was not found.
    case symbolicLink(to: FilePath)
    /// Something that is not a directory has the name.
    case notADirectory
    /// Several directories have the bookmark's marker; they are copies, and none is the bookmarked
    /// directory.
    case ambiguous([FilePath])
    /// The directory exists, but this user may not open it.
    case notPermitted
    /// The data is not a bookmark.
    case unreadable
    /// A call to the file system failed.
    case failed(FileError)
  }

  /// What happened.
  public var reason: Reason
  /// The path that was bookmarked.
  public var path: FilePath

  init(_ reason: Reason, _ path: FilePath) {
    self.reason = reason
    self.path = path
  }
}

extension BookmarkError: CustomStringConvertible, LocalizedError {
  /// One sentence that names the directory and what was found.
  public var description: String {
    switch reason {
    case .missing:
      "the directory '\(path.shortened)' was not found: it was removed, or its disk is not mounted"
    case .replaced: "another directory has replaced '\(path.shortened)'"
    case .symbolicLink(let target):
      "a symbolic link to '\(target.shortened)' has replaced the directory '\(path.shortened)'; choose the directory "
        + "itself again"
    case .notADirectory: "'\(path.shortened)' is not a directory"
    case .ambiguous(let paths):
      "the directory '\(path.shortened)' was not found, and there are several copies of it: "
        + paths.map { "'\($0.shortened)'" }.joined(separator: ", ")
    case .notPermitted: "this user may not open the directory '\(path.shortened)'"
    case .unreadable: "the data is not a bookmark of a directory"
    case .failed(let error): "the directory '\(path.shortened)' cannot be examined: \(error)"
    }
  }

  /// The description.
  public var errorDescription: String? { description }
}
