public import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A past version of a document.
public struct DocumentVersion: Hashable, Sendable {
  /// When it was replaced.
  public let date: Date
  /// Its length in bytes.
  public let size: Int
  /// Its file, with the same format as the document's.
  public let file: FilePath
}
