import KeepsakeCoding
import KeepsakeFiles
import SystemPackage

extension DocumentError {
  /// An error for a file that cannot be read.
  init(unavailable cause: FileError) {
    self.init(.unavailable, "the file cannot be read", file: cause.path, cause: cause)
  }

  /// An error for a change that cannot be written.
  init(notWritten cause: FileError) {
    self.init(.notWritten, "the change cannot be written", file: cause.path, cause: cause)
  }

  /// An error for a flush that the disk refused.
  init(notDurable cause: FileError) {
    self.init(
      .notDurable, "the disk refused a flush", file: cause.path,
      kept: "the change is made, but a power cut may undo it", cause: cause)
  }

  /// An error of what is known of other machines.
  package init(sharing cause: any Error) {
    self.init(
      .notWritten, "the documents cannot be kept in agreement with other machines",
      kept: "the documents are unchanged", cause: cause)
  }

  /// An error for what another machine has written and cannot be a document.
  package init(sharedName name: String, _ reason: String) {
    self.init(
      .unreadable, "what other machines have under '\(name)' \(reason)", kept: "it was not taken")
  }

  /// An error for a file that another program changed.
  init(_ conflict: DocumentConflict) {
    let change = conflict.theirs == nil ? "removed" : "changed"
    self.init(
      .conflict, "another program \(change) the file since it was loaded", file: conflict.file,
      kept: "the file is unchanged", conflict: conflict)
  }

  /// An error for a text that cannot be decoded as a document.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  init(unreadable text: [UInt8], at file: FilePath, cause: any Error) {
    self.init(.unreadable, "the file cannot be decoded", file: file)
    guard let fault = cause as? DecodingError, let context = fault.context else {
      message += ": " + Self.firstLine(of: "\(cause)")
      return
    }
    let path = context.codingPath
    if !path.isEmpty { keyPath = Self.keyPath(path) }
    let location = fault.location ?? TextLocation.find(path, in: text)
    line = location?.line
    column = location?.column
    var reason = Self.firstLine(of: context.debugDescription)
    if let end = reason.lastStart(of: " (line ") { reason = String(reason[..<end]) }
    if reason.hasSuffix(".") { reason.removeLast() }
    message += ": " + reason
  }

  private static func firstLine(of text: String) -> String {
    String(text.prefix { !$0.isNewline })
  }

  private static func keyPath(_ path: [any CodingKey]) -> String {
    path.reduce(into: "") { text, key in
      if let index = key.intValue, key.stringValue != String(index) {
        text += "[\(index)]"
      } else {
        text += (text.isEmpty ? "" : ".") + key.stringValue
      }
    }
  }
}

extension DecodingError {
  fileprivate var context: Context? {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context), .dataCorrupted(let context):
      context
    @unknown default: nil
    }
  }
}

extension String {
  /// The start of the last occurrence of a text.
  fileprivate func lastStart(of text: String) -> Index? {
    indices.last { self[$0...].hasPrefix(text) }
  }
}
