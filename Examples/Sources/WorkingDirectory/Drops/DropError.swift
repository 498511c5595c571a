import Foundation
import Keepsake

/// Why a drop, or a file of it, was refused. What was received of it is removed.
enum DropError: Error, Hashable {
  /// The list of its entries cannot be read.
  case unreadable
  /// It has neither files nor directories.
  case empty
  case tooManyEntries(limit: Int)
  case fileTooLarge(String, limit: Int)
  case tooLarge(limit: Int)
  /// A path could lead out of the directory, or cannot be created.
  case unusablePath(String)
  /// A path is listed twice, or its directory is not listed before it.
  case misplacedPath(String)
  /// The drop is unknown, or it is another window's.
  case unknown
  /// A file is not one of the drop, or was received before.
  case unexpectedFile
  /// A file does not have the length that was listed.
  case changed(String)
  case incomplete(missing: Int)
  case failed(FileError)

  /// The status of the response.
  var status: Int {
    switch self {
    case .tooManyEntries, .fileTooLarge, .tooLarge: 413
    case .unknown: 404
    case .failed: 507
    default: 400
    }
  }
}

extension DropError: CustomStringConvertible {
  var description: String {
    switch self {
    case .unreadable: "The list of what was dropped cannot be read."
    case .empty: "Nothing was dropped."
    case .tooManyEntries(let limit):
      "More than \(limit) files and folders cannot be dropped at once."
    case .fileTooLarge(let path, let limit): "\(path) is larger than \(limit >> 20) MB."
    case .tooLarge(let limit): "More than \(limit >> 20) MB cannot be dropped at once."
    case .unusablePath(let path): "The name \(path.prefix(200)) cannot be used."
    case .misplacedPath(let path): "\(path) is there twice, or is in no folder that was dropped."
    case .unknown: "The app is not waiting for files here."
    case .unexpectedFile: "A file came that was not listed, or came twice."
    case .changed(let path): "\(path) was changed while it was being read."
    case .incomplete(let missing): "\(missing) of the files did not come."
    case .failed(let error): "The files cannot be kept: \(error)."
    }
  }
}
