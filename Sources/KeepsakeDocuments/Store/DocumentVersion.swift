public import SystemPackage

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A past content of a document.
public struct DocumentVersion: Hashable, Sendable {
  /// When it was replaced.
  public let date: Date
  /// Its length in bytes.
  public let size: Int
  /// Its file, which can be read as the document's own.
  public let file: FilePath
}

/// A file that was set aside because it held no document.
public struct QuarantinedFile: Hashable, Sendable {
  /// Where it is now.
  public let file: FilePath
  /// The name that it had.
  public let name: String
  /// When it was set aside, and why, in one line; empty where that was lost.
  public let reason: String
}
