import KeepsakeFiles
public import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An error that occurred when the user was asked for a directory, or dragged one in.
@nonexhaustive public enum DirectoryChooserError: Error, Hashable, Sendable {
  /// The user cannot be asked this way on this machine; the text says why.
  case unavailable(String)
  /// The desktop portal did not answer in time.
  case noAnswer(after: Duration)
  /// The desktop portal ended while its dialog was open.
  case ended
  /// The desktop portal reported an error, or showed no dialog.
  case failed(String)
  /// It is not on this machine's file system.
  case notLocal(String)
  /// It is a file, not a directory.
  case notADirectory(FilePath)
  /// It does not exist.
  case missing(FilePath)
  /// It cannot be opened.
  case notReadable(FilePath, Errno)
  /// Not exactly one item was dragged.
  case notOneItem(count: Int)
}

extension DirectoryChooserError: CustomStringConvertible, LocalizedError {
  /// One sentence that says what happened, and what to do where that is known.
  public var description: String {
    switch self {
    case .unavailable(let reason): "no directory can be chosen: \(reason)"
    case .noAnswer(let duration):
      "the desktop portal did not answer within \(duration.formattedSeconds)"
    case .ended: "the desktop portal ended before a directory was chosen"
    case .failed(let reason): "the desktop portal failed: \(reason)"
    case .notLocal(let address): "'\(address.prefix(200))' is not on this machine"
    case .notADirectory(let path): "'\(path.shortened)' is a file; choose a directory instead"
    case .missing(let path): "'\(path.shortened)' does not exist"
    case .notReadable(let path, let code): "'\(path.shortened)' cannot be opened: \(code)"
    case .notOneItem(let count): "\(count) items were dragged; drag one directory instead"
    }
  }

  /// The description.
  public var errorDescription: String? { description }
}

extension Duration {
  fileprivate var formattedSeconds: String {
    let (seconds, attoseconds) = components
    return attoseconds == 0 ? "\(seconds) s" : "\(Double(seconds) + Double(attoseconds) / 1e18) s"
  }
}
