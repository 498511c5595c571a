import KeepsakeFiles
public import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An error about a document: what happened, where, why, and what was kept.
public struct DocumentError: Error, Sendable {
  /// The kind of an error.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    /// There is no such document.
    public static let notFound = Code(description: "notFound")
    /// A document of that identity exists.
    public static let exists = Code(description: "exists")
    /// The file cannot be decoded. It is left unchanged if it is JSON, because another version of the
    /// app may read it, and quarantined otherwise.
    public static let unreadable = Code(description: "unreadable")
    /// The file was written by a newer version of the app, and this one cannot decode it.
    public static let newerVersion = Code(description: "newerVersion")
    /// The document in the file has another identity than the file's name says.
    public static let wrongIdentity = Code(description: "wrongIdentity")
    /// The file changed on disk since the document was loaded.
    public static let conflict = Code(description: "conflict")
    /// The document cannot be encoded.
    public static let unencodable = Code(description: "unencodable")
    /// A file cannot be read; its content is not known.
    public static let unavailable = Code(description: "unavailable")
    /// A change could not be written.
    public static let notWritten = Code(description: "notWritten")
    /// The disk refused a flush: what was written may not survive a power cut.
    public static let notDurable = Code(description: "notDurable")
    /// An asset is too large, of no known type, or missing.
    public static let invalidAsset = Code(description: "invalidAsset")
  }

  /// The kind of the error.
  public var code: Code
  /// What happened, in words.
  public var message: String
  /// The file.
  public var file: FilePath?
  /// The path from the document to the value, such as `elements[2].frame`.
  public var keyPath: String?
  /// The line, counted from 1.
  public var line: Int?
  /// The column, counted from 1 in Unicode scalars.
  public var column: Int?
  /// What was kept, and where.
  public var kept: String?
  /// Both versions of the document and their base, if the code is ``Code/conflict``.
  public var conflict: DocumentConflict?
  /// The underlying error.
  public var cause: (any Error)?

  init(
    _ code: Code, _ message: String, file: FilePath? = nil, kept: String? = nil,
    conflict: DocumentConflict? = nil, cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.file = file
    self.kept = kept
    self.conflict = conflict
    self.cause = cause
  }
}

extension DocumentError: CustomStringConvertible, LocalizedError {
  /// One line: what happened, where, why, and what was kept.
  public var description: String {
    let fileError = cause as? FileError
    var text = message
    if let keyPath, !keyPath.isEmpty { text += ", at \(keyPath)" }
    if let line, let column { text += " (line \(line), column \(column))" }
    if let file, fileError?.path != file { text += " (file \(file.shortened))" }
    if let fileError, kept != nil {
      text += ": \(fileError.summary)"
    } else if let cause {
      text += ": \(cause)"
    }
    if let kept { text += "; \(kept)" }
    return text
  }

  /// The description.
  public var errorDescription: String? { description }
}
