public import SystemPackage

/// A file that was quarantined because it is not JSON.
public struct QuarantinedFile: Hashable, Sendable {
  /// Its path in the quarantine.
  public let file: FilePath
  /// The name that it had in the documents' directory.
  public let name: String
  /// When and why it was quarantined, in one line; empty if that was lost.
  public let reason: String
}
