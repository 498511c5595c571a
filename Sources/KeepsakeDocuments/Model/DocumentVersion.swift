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
