#if Configuration
import KeepsakeCoding
import KeepsakeFiles
public import SystemPackage

/// A configuration that cannot be read, used or changed: which key, where, and why; never a secret.
public struct ConfigurationError: Error, Sendable {
  /// What kind of fault it is.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    /// No layer has a value.
    public static let missing = Code(description: "missing")
    /// A value is not of the type that it was asked for as.
    public static let wrongType = Code(description: "wrongType")
    /// A file is there and holds no configuration.
    public static let unreadable = Code(description: "unreadable")
    /// A file is not there or cannot be reached, so that nothing can be said of the values in it.
    public static let unavailable = Code(description: "unavailable")
    /// The file has no section for the environment.
    public static let unknownEnvironment = Code(description: "unknownEnvironment")
    /// A key that no layer has and nobody has asked for was to be overridden by a text.
    public static let unknownKey = Code(description: "unknownKey")
    /// The file of the overrides was damaged; it was set aside, and what was good in it was kept.
    public static let damaged = Code(description: "damaged")
    /// An override could not be written, and was not made.
    public static let notWritten = Code(description: "notWritten")
  }

  /// What kind of fault it is.
  public var code: Code
  /// What happened, in words.
  public var message: String
  /// The key, where one is concerned.
  public var key: String?
  /// The file, where one is concerned.
  public var file: FilePath?
  /// The line in the file, counted from 1, where one is concerned.
  public var line: Int?
  /// The column, counted from 1 in Unicode scalars.
  public var column: Int?
  /// The error below this one; it holds no secret.
  public var cause: (any Error)?

  init(
    _ code: Code, _ message: String, key: String? = nil, file: FilePath? = nil,
    location: TextLocation? = nil, cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.key = key
    self.file = file
    line = location?.line
    column = location?.column
    self.cause = cause
  }
}

extension ConfigurationError: CustomStringConvertible {
  /// The place as compilers write it, and the message with the key.
  public var description: String {
    var text = ""
    if let file {
      text = file.shortened
      if let line { text += ":\(line)" }
      if let column { text += ":\(column)" }
      text += ": "
    }
    text += message
    if let key { text += " (key '\(key)')" }
    if let cause { text += ": \(cause)" }
    return text
  }
}
#endif
