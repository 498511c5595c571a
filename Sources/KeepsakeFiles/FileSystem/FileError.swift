public import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An error from a file system call: the operation, the path, the reason and the resulting state.
public struct FileError: Error, Hashable, Sendable {
  /// An operation that can fail.
  @nonexhaustive public enum Operation: String, Hashable, Sendable {
    /// Opening a file.
    case open
    /// Reading bytes.
    case read
    /// Writing bytes.
    case write
    /// Truncating a file.
    case truncate
    /// Flushing bytes or names, so that they survive a power cut.
    case synchronize
    /// Renaming a file.
    case rename
    /// Adding a hard link to a file.
    case link
    /// Removing a file.
    case remove
    /// Listing a directory.
    case list
    /// Creating a directory.
    case createDirectory = "create directory"
    /// Reading a file's attributes.
    case examine
    /// Acquiring the lock that processes share.
    case lock
    /// Watching a file or a directory.
    case watch
  }

  /// The operation that failed.
  public var operation: Operation
  /// The file or directory of the operation.
  public var path: FilePath
  /// The platform's error code.
  public var code: Errno
  /// The resulting state, as the end of a sentence; empty if nothing changed.
  public var effect: String

  /// Creates an error.
  public init(_ operation: Operation, _ path: FilePath, _ code: Errno, effect: String = "") {
    self.operation = operation
    self.path = path
    self.code = code
    self.effect = effect
  }

  /// The same error with another resulting state.
  package func leaving(_ effect: String) -> FileError {
    FileError(operation, path, code, effect: effect)
  }
}

extension FileError: CustomStringConvertible, LocalizedError {
  /// One sentence that names the operation, the file, the reason and the resulting state.
  public var description: String {
    effect.isEmpty ? "\(summary); nothing was changed" : summary
  }

  /// The description for an error that says itself what was changed.
  package var summary: String {
    let reason =
      switch code {
      case .tooManySymbolicLinkLevels: "it is a symbolic link, which is not followed"
      case .invalidArgument where operation == .open,
        .noSuchAddressOrDevice where operation == .open:
        "it is a pipe, a socket or a device, not a file"
      default: code.description
      }
    let failure = "cannot \(operation.rawValue) '\(path.shortened)': \(reason)"
    return "\(failure) (errno \(code.rawValue))" + (effect.isEmpty ? "" : "; \(effect)")
  }

  /// The description.
  public var errorDescription: String? { description }
}
