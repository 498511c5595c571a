public import SystemPackage

/// A document in the trash.
public struct RemovedDocument<ID: DocumentID>: Hashable, Sendable, Identifiable {
  /// The document's identity.
  public let id: ID
  /// The directory in the trash that contains its file.
  public let directory: FilePath
}
