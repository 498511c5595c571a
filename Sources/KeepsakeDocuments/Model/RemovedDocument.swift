public import SystemPackage

/// A document in the trash.
public struct RemovedDocument<ID: DocumentID>: Hashable, Sendable, Identifiable {
  /// What named the document.
  public let id: ID
  /// The directory in the trash that holds its file and its assets.
  public let directory: FilePath
}
