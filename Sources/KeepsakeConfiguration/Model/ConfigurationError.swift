#if Configuration
import KeepsakeCoding
import KeepsakeFiles
public import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An error that occurred while a configuration was read or changed; it never contains a secret.
public struct ConfigurationError: Error, Sendable {
  /// The kind of error.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    /// No layer has a value.
    public static let missing = Code(description: "missing")
    /// A value does not have the requested type.
    public static let wrongType = Code(description: "wrongType")
    /// A file exists, but it is not a configuration.
    public static let unreadable = Code(description: "unreadable")
    /// A file does not exist or cannot be read, so its values are unknown.
    public static let unavailable = Code(description: "unavailable")
    /// The file has no section for the environment.
    public static let unknownEnvironment = Code(description: "unknownEnvironment")
    /// A text was to override a key that no layer has and that was never requested.
    public static let unknownKey = Code(description: "unknownKey")
    /// The overrides file was damaged; its bytes are in a quarantine file, and the intact overrides
    /// were recovered.
    public static let damaged = Code(description: "damaged")
    /// An override could not be written and was not made.
    public static let notWritten = Code(description: "notWritten")
  }

  /// The kind of error.
  public var code: Code
  /// What happened.
  public var message: String
  /// The resulting state, and what to do; empty if neither is known.
  public var effect: String
  /// The affected key, if there is one.
  public var key: String?
  /// The affected file, if there is one.
  public var file: FilePath?
  /// The line in the file, counted from 1, if it is known.
  public var line: Int?
  /// The column, counted from 1 in Unicode scalars, if it is known.
  public var column: Int?
  /// The underlying error; it does not contain a secret.
  public var cause: (any Error)?

  init(
    _ code: Code, _ message: String, effect: String = "", key: String? = nil,
    file: FilePath? = nil, location: TextLocation? = nil, cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.effect = effect
    self.key = key
    self.file = file
    line = location?.line
    column = location?.column
    self.cause = cause
  }
}

extension ConfigurationError: CustomStringConvertible, LocalizedError {
  /// The file with line and column as compilers print them, what happened, the key, the cause, and
  /// the resulting state.
  public var description: String {
    let fileError = cause as? FileError
    var text = ""
    if let file, fileError?.path != file {
      text = file.shortened
      if let line { text += ":\(line)" }
      if let column { text += ":\(column)" }
      text += ": "
    }
    text += message
    if let key { text += " (key '\(key)')" }
    if let cause { text += ": \(fileError?.summary ?? "\(cause)")" }
    if !effect.isEmpty { text += "; \(effect)" }
    return text
  }

  /// The description.
  public var errorDescription: String? { description }
}
#endif
