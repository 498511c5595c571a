#if Secrets
import KeepsakeFiles
public import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An error about secrets: what happened, where, and what was kept; it never contains a secret.
public struct SecretError: Error, Sendable {
  /// The kind of an error.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    /// The key does not open the store.
    public static let wrongKey = Code(description: "wrongKey")
    /// The key is missing, too short, or accessible to other users.
    public static let keyUnavailable = Code(description: "keyUnavailable")
    /// The store was damaged, or changed by someone who does not have the key.
    public static let damaged = Code(description: "damaged")
    /// An older store is in the place of a newer one.
    public static let rolledBack = Code(description: "rolledBack")
    /// The store was written by a newer version of this library.
    public static let newerFormat = Code(description: "newerFormat")
    /// The files or the service cannot be reached, so that nothing is known about the secrets.
    public static let unavailable = Code(description: "unavailable")
    /// The change could not be written.
    public static let notWritten = Code(description: "notWritten")
    /// The secret is of another type than the one that was requested.
    public static let wrongType = Code(description: "wrongType")
    /// A value cannot be encoded.
    public static let unencodable = Code(description: "unencodable")
    /// A file or directory was accessible to other users.
    public static let exposed = Code(description: "exposed")
  }

  /// The kind of the error.
  public var code: Code
  /// What happened and what was kept, in words.
  public var message: String
  /// The name of the secret, if the error is about one.
  public var name: String?
  /// The file, if the error is about one.
  public var file: FilePath?
  /// The underlying error; it contains no secret.
  public var cause: (any Error)?

  init(
    _ code: Code, _ message: String, name: String? = nil, file: FilePath? = nil,
    cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.name = name
    self.file = file
    self.cause = cause
  }
}

extension SecretError: CustomStringConvertible, LocalizedError {
  /// One line: the message, the name and the file, and the cause.
  public var description: String {
    var text = message
    if let name { text += " (secret '\(name)')" }
    if let file, (cause as? FileError)?.path != file { text += " (file \(file.shortened))" }
    if let cause { text += ": \(cause)" }
    return text
  }

  /// The description.
  public var errorDescription: String? { description }
}
#endif
