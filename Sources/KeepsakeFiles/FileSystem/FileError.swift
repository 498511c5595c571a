public import SystemPackage

/// A call to a file system that failed: which, where, why, and what is left behind.
public struct FileError: Error, Hashable, Sendable {
  /// What was tried.
  public enum Operation: String, Hashable, Sendable {
    /// A file was to be opened.
    case open
    /// Bytes were to be read.
    case read
    /// Bytes were to be written.
    case write
    /// A file was to be cut.
    case truncate
    /// Bytes or names were to be made safe against a power cut.
    case synchronize
    /// A file was to get another name.
    case rename
    /// A file was to get one more name.
    case link
    /// A file was to be removed.
    case remove
    /// A directory was to be listed.
    case list
    /// A directory was to be made.
    case createDirectory = "create directory"
    /// A file was to be examined.
    case examine
    /// The processes' common lock was to be taken.
    case lock
    /// A directory was to be watched.
    case watch
  }

  /// What was tried.
  public var operation: Operation
  /// The file or directory it was tried on.
  public var path: FilePath
  /// The platform's reason.
  public var code: Errno
  /// What is left behind, as the end of a sentence; empty where nothing changed.
  public var effect: String

  /// Describes a failed call.
  public init(_ operation: Operation, _ path: FilePath, _ code: Errno, effect: String = "") {
    self.operation = operation
    self.path = path
    self.code = code
    self.effect = effect
  }

  /// The same error with another account of what is left behind.
  package func leaving(_ effect: String) -> FileError {
    FileError(operation, path, code, effect: effect)
  }
}

extension FileError: CustomStringConvertible {
  /// One sentence that names the call, the file, the reason and the state left behind.
  public var description: String {
    let reason =
      switch code {
      case .tooManySymbolicLinkLevels: "it is a symbolic link, which is not followed"
      case .invalidArgument where operation == .open,
        .noSuchAddressOrDevice where operation == .open:
        "it is a pipe, a socket or a device, not a file"
      default: code.description
      }
    return "cannot \(operation.rawValue) '\(path)': \(reason) (errno \(code.rawValue)); "
      + (effect.isEmpty ? "nothing was changed" : effect)
  }
}
