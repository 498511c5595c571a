/// What a directory tells of a document whose file is not opened.
public struct DocumentEntry<ID: DocumentID>: Hashable, Sendable, Identifiable {
  /// What names the document.
  public let id: ID
  /// The length of its file in bytes.
  public let size: Int
  /// When the file was last written, in nanoseconds since 1970 (UTC).
  public let modified: Int64
}
