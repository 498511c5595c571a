public import SystemPackage

/// A file that was set aside because it held no document.
public struct QuarantinedFile: Hashable, Sendable {
  /// Where it is now.
  public let file: FilePath
  /// The name that it had.
  public let name: String
  /// When it was set aside, and why, in one line; empty where that was lost.
  public let reason: String
}
