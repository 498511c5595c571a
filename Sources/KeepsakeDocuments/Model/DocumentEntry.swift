/// The attributes of a document's file, which is not opened for them.
public struct DocumentEntry<ID: DocumentID>: Hashable, Sendable, Identifiable {
  /// The document's identity.
  public let id: ID
  /// The length of its file in bytes.
  public let size: Int
  /// When the file was last written, in nanoseconds since 1970 (UTC).
  public let modified: Int64
}
