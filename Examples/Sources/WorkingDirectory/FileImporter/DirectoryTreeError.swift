import Foundation
import SystemPackage

/// Why a directory cannot be chosen.
enum DirectoryTreeError: Error, Hashable {
  /// The path escapes the root.
  case outside(FilePath)
  case failed(FilePath, Errno)
}

extension DirectoryTreeError: CustomStringConvertible, LocalizedError {
  var description: String {
    switch self {
    case .outside(let root): "Only folders in \(root) can be chosen."
    case .failed(let path, .permissionDenied), .failed(let path, .notPermitted):
      "You do not have permission to open \(path)."
    case .failed(let path, .noSuchFileOrDirectory): "\(path) is no longer there."
    case .failed(let path, .notDirectory): "\(path) is not a folder."
    case .failed(let path, let code): "\(path) cannot be opened: \(code)."
    }
  }

  var errorDescription: String? { description }
}
