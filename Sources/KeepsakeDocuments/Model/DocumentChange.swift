/// What became of a document's file, whoever did it.
public enum DocumentChange<ID: DocumentID>: Hashable, Sendable {
  /// There is a file that was not there.
  case created(ID)
  /// The file has another content, or was replaced.
  case changed(ID)
  /// The file is gone.
  case removed(ID)

  /// What names the document.
  public var id: ID {
    switch self {
    case .created(let id), .changed(let id), .removed(let id): id
    }
  }

  /// What this change and a later one of the same document are together.
  func followed(by later: DocumentChange) -> DocumentChange {
    switch (self, later) {
    case (.created, .changed(let id)): .created(id)
    case (.removed, .created(let id)): .changed(id)
    default: later
    }
  }
}
