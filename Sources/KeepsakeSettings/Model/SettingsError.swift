public import SystemPackage

/// A setting that could not be read or kept: which, where, why, and what was kept of it.
public struct SettingsError: Error, Sendable {
  /// What kind of fault it is.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    /// A stored value is not of the type that it was asked for as.
    public static let wrongType = Code(description: "wrongType")
    /// A value cannot be put into a property list.
    public static let unencodable = Code(description: "unencodable")
    /// The property list or the journal was damaged; what was good in it was kept.
    public static let damaged = Code(description: "damaged")
    /// The files cannot be reached, so that nothing can be said of the values in them.
    public static let unavailable = Code(description: "unavailable")
    /// The change could not be written, and was not made.
    public static let notWritten = Code(description: "notWritten")
    /// The disk refused a flush: what was written lately may not survive a power cut.
    public static let notDurable = Code(description: "notDurable")
    /// A call was made inside the body of a transaction of the same store, outside its parameter.
    public static let inTransaction = Code(description: "inTransaction")
    /// A transaction met changes of the same settings by other processes at each of its attempts.
    public static let conflict = Code(description: "conflict")
    /// The settings were written by a newer version of the app.
    public static let newerVersion = Code(description: "newerVersion")
  }

  /// What kind of fault it is.
  public var code: Code
  /// What happened, where, and what was kept, in words.
  public var message: String
  /// The key, where one is concerned.
  public var key: String?
  /// The file, where one is concerned.
  public var file: FilePath?
  /// The error below this one.
  public var cause: (any Error)?

  init(
    _ code: Code, _ message: String, key: String? = nil, file: FilePath? = nil,
    cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.key = key
    self.file = file
    self.cause = cause
  }
}

extension SettingsError: CustomStringConvertible {
  /// The message, with key and file where they are known.
  public var description: String {
    var text = message
    if let key { text += " (key '\(key)')" }
    if let file { text += " (file \(file))" }
    if let cause { text += ": \(cause)" }
    return text
  }
}
