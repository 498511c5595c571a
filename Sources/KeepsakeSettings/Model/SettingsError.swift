import KeepsakeFiles
public import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An error that occurred while settings were read or written.
public struct SettingsError: Error, Sendable {
  /// The kind of error.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    /// A stored value does not have the requested type.
    public static let wrongType = Code(description: "wrongType")
    /// A value does not fulfill the requirement of its key.
    public static let invalid = Code(description: "invalid")
    /// A stored value, written by another version of its type, lacks keys.
    public static let incomplete = Code(description: "incomplete")
    /// A stored value that could not be read, or that other machines have otherwise, was replaced, and is preserved; see
    /// ``SettingsStore/preservedValues()``.
    public static let preserved = Code(description: "preserved")
    /// A value cannot be encoded as a property list.
    public static let unencodable = Code(description: "unencodable")
    /// The property list or the journal was damaged; the intact values were recovered.
    public static let damaged = Code(description: "damaged")
    /// The files cannot be read, so their values are unknown.
    public static let unavailable = Code(description: "unavailable")
    /// The change could not be written and was not made.
    public static let notWritten = Code(description: "notWritten")
    /// A flush of the disk failed; recent changes may not survive a power cut.
    public static let notDurable = Code(description: "notDurable")
    /// The store was used directly inside the body of one of its own transactions.
    public static let inTransaction = Code(description: "inTransaction")
    /// Other processes changed the same settings during every attempt of a transaction.
    public static let conflict = Code(description: "conflict")
    /// Settings of another store were not imported; the store's values were kept.
    public static let notImported = Code(description: "notImported")
    /// The settings were written by a newer version of the app.
    public static let newerVersion = Code(description: "newerVersion")
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
  /// The underlying error.
  public var cause: (any Error)?

  package init(
    _ code: Code, _ message: String, effect: String = "", key: String? = nil,
    file: FilePath? = nil, cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.effect = effect
    self.key = key
    self.file = file
    self.cause = cause
  }
}

extension SettingsError: CustomStringConvertible, LocalizedError {
  /// What happened, the key and the file if known, the cause, and the resulting state.
  public var description: String {
    let fileError = cause as? FileError
    var location: [String] = []
    if let key { location.append("key '\(key)'") }
    if let file, fileError?.path != file { location.append("file '\(file.shortened)'") }
    var text = message
    if !location.isEmpty { text += " (\(location.joined(separator: ", ")))" }
    if let cause { text += ": \(fileError?.summary ?? "\(cause)")" }
    if !effect.isEmpty { text += "; \(effect)" }
    return text
  }

  /// The description.
  public var errorDescription: String? { description }
}
