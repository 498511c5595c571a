public import KeepsakeFiles
public import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An error that occurred when the files below a directory were listed.
@nonexhaustive public enum DirectoryContentsError: Error, Hashable, Sendable {
  /// The directory has more entries than the limit.
  case tooManyEntries(FilePath, limit: Int)
  /// A call to the file system failed.
  case failed(FileError)
}

extension DirectoryContentsError: CustomStringConvertible, LocalizedError {
  /// One sentence that names the directory and the reason.
  public var description: String {
    switch self {
    case .tooManyEntries(let directory, let limit):
      "'\(directory.shortened)' contains more than \(limit) files and directories; choose a directory with fewer"
    case .failed(let error): error.description
    }
  }

  /// The description.
  public var errorDescription: String? { description }
}
