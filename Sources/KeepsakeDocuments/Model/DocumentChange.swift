/// A change of a document's file, by this process or any other.
public enum DocumentChange<ID: DocumentID>: Hashable, Sendable {
  /// The file was created.
  case created(ID)
  /// The file was written or replaced.
  case changed(ID)
  /// The file was removed.
  case removed(ID)

  /// The document's identity.
  public var id: ID {
    switch self {
    case .created(let id), .changed(let id), .removed(let id): id
    }
  }

  /// This change and a later one of the same document, merged.
  func followed(by later: DocumentChange) -> DocumentChange {
    switch (self, later) {
    case (.created, .changed(let id)): .created(id)
    case (.removed, .created(let id)): .changed(id)
    default: later
    }
  }
}
