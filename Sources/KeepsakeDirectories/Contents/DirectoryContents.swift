import KeepsakeBase
import KeepsakeFiles
public import SystemPackage

/// The files below a directory that the user chose or dragged in, by their relative paths.
///
/// ```swift
/// let contents = try DirectoryContents(of: directory)
/// for file in contents.files { print(file) }          // notes/today.txt
/// for entry in contents.skipped { print(entry) }      // 'link': a symbolic link to '/etc', which is not followed
/// ```
///
/// Nothing outside the directory is ever read: symbolic links are not followed, also not if a directory is
/// replaced by a link meanwhile. Entries whose names begin with a period are left out.
public struct DirectoryContents: Hashable, Sendable {
  /// The regular files, relative to the directory, in the order of their paths.
  public let files: [FilePath]
  /// What was neither listed nor searched, in the order of the paths.
  public let skipped: [SkippedEntry]

  /// The maximum number of directories between the directory and a file.
  static let maximumDepth = 64

  /// Lists the files below a directory.
  ///
  /// - Parameters:
  ///   - directory: The directory; a symbolic link to one is an error.
  ///   - limit: The maximum number of entries: files, directories and what is skipped.
  /// - Throws: ``DirectoryContentsError`` if the directory cannot be read or has more entries.
  /// - Complexity: O(*n* log *n*) in the number of entries, of which no more than `limit` are examined.
  public init(of directory: FilePath, limit: Int = 10_000) throws(DirectoryContentsError) {
    var walk = DirectoryWalk(of: directory, limit: limit)
    try walk.run()
    files = walk.files.sorted { $0.string < $1.string }
    skipped = walk.skipped.sorted { $0.path.string < $1.path.string }
  }

  /// An entry that was left out, and why.
  public struct SkippedEntry: Hashable, Sendable, CustomStringConvertible {
    /// Why an entry was left out.
    @nonexhaustive public enum Reason: Hashable, Sendable {
      /// It is a symbolic link, which is not followed.
      case symbolicLink(to: FilePath)
      /// It is a pipe, a socket or a device.
      case notAFile
      /// It is a directory that this user may not read.
      case notReadable(Errno)
      /// It is a directory below 64 others.
      case tooDeep
    }

    /// The path, relative to the directory.
    public let path: FilePath
    /// Why it was left out.
    public let reason: Reason

    /// The path and the reason.
    public var description: String {
      let explanation =
        switch reason {
        case .symbolicLink(let target):
          "a symbolic link to '\(target.shortened)', which is not followed"
        case .notAFile: "a pipe, a socket or a device, not a file"
        case .notReadable(let code): "a directory that cannot be read: \(code)"
        case .tooDeep:
          "a directory below \(DirectoryContents.maximumDepth) others, which is not searched"
        }
      return "'\(path.shortened)': \(explanation)"
    }
  }
}
