#if Secrets
import KeepsakeFiles
public import SystemPackage

/// A secret that could not be read or kept: why, where, and what was kept; never the secret itself.
public struct SecretError: Error, Sendable {
  /// What kind of fault it is.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    /// The key does not open the store.
    public static let wrongKey = Code(description: "wrongKey")
    /// The key is not there, too short, or open to others.
    public static let keyUnavailable = Code(description: "keyUnavailable")
    /// The store was damaged or changed by someone who does not have the key.
    public static let damaged = Code(description: "damaged")
    /// An older store was put in the place of a newer one.
    public static let rolledBack = Code(description: "rolledBack")
    /// The store was written by a newer version of this library.
    public static let newerFormat = Code(description: "newerFormat")
    /// The files or the service cannot be reached, so that nothing can be said of the secrets.
    public static let unavailable = Code(description: "unavailable")
    /// The change could not be written.
    public static let notWritten = Code(description: "notWritten")
    /// A secret is not of the type that it was asked for as.
    public static let wrongType = Code(description: "wrongType")
    /// A value cannot be encoded.
    public static let unencodable = Code(description: "unencodable")
  }

  /// What kind of fault it is.
  public var code: Code
  /// What happened and what was kept, in words.
  public var message: String
  /// The secret's name, where one is concerned.
  public var name: String?
  /// The file, where one is concerned.
  public var file: FilePath?
  /// The error below this one; it holds no secret.
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

extension SecretError: CustomStringConvertible {
  /// The message, with name and file where they are known.
  public var description: String {
    var text = message
    if let name { text += " (secret '\(name)')" }
    if let file { text += " (file \(file.shortened))" }
    if let cause { text += ": \(cause)" }
    return text
  }
}
#endif
