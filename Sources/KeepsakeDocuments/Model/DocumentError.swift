import KeepsakeFiles
public import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A document that could not be read or kept: which, where, why, and what was kept of it.
public struct DocumentError: Error, Sendable {
  /// What kind of fault it is.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    /// There is no such document.
    public static let notFound = Code(description: "notFound")
    /// There is a document of that identity already.
    public static let exists = Code(description: "exists")
    /// The file holds no document of the type. It was left unchanged if it is JSON, which another
    /// version of the app may read, and quarantined otherwise.
    public static let unreadable = Code(description: "unreadable")
    /// The file was written by a newer version of the app, in a form that this one cannot read.
    public static let newerVersion = Code(description: "newerVersion")
    /// The file holds a document of another identity than its name says.
    public static let wrongIdentity = Code(description: "wrongIdentity")
    /// The file changed on disk since the document was loaded.
    public static let conflict = Code(description: "conflict")
    /// The document cannot be put into JSON.
    public static let unencodable = Code(description: "unencodable")
    /// A file cannot be reached, so that nothing can be said of what is in it.
    public static let unavailable = Code(description: "unavailable")
    /// A change could not be written, and was not made.
    public static let notWritten = Code(description: "notWritten")
    /// The disk refused a flush: what was written may not survive a power cut.
    public static let notDurable = Code(description: "notDurable")
    /// An asset is too large, of no known type, or missing.
    public static let invalidAsset = Code(description: "invalidAsset")
  }

  /// What kind of fault it is.
  public var code: Code
  /// What happened, in words.
  public var message: String
  /// The file, where one is concerned.
  public var file: FilePath?
  /// The way from the document to the value at fault, as `elements[2].frame`.
  public var keyPath: String?
  /// The line of the fault, counted from 1.
  public var line: Int?
  /// The column of the fault, counted from 1 in Unicode scalars.
  public var column: Int?
  /// What was kept, and where, in words.
  public var kept: String?
  /// Both versions of the document and what they started from, where the code is
  /// ``Code/conflict``.
  public var conflict: DocumentConflict?
  /// The error below this one.
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
