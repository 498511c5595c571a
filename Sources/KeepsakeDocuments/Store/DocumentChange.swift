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

/// The changes of a store's documents, from the moment at which it was asked for.
///
/// Of several changes of one document that were not taken yet, one remains. It is for one loop.
public struct DocumentChanges<ID: DocumentID>: AsyncSequence, Sendable {
  let box: DocumentChangeBox<ID>

  /// Gives the changes one after the other.
  public func makeAsyncIterator() -> Iterator { Iterator(box: box) }

  /// The place that a loop has come to.
  public struct Iterator: AsyncIteratorProtocol {
    let box: DocumentChangeBox<ID>

    /// The next change; `nil` once the task is cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Never) -> DocumentChange<ID>? {
      while !Task.isCancelled {
        let version = box.signal.version
        if let change = box.take() { return change }
        await box.signal.wait(past: version)
      }
      return nil
    }

    /// The next change; `nil` once the task is cancelled.
    public mutating func next() async -> DocumentChange<ID>? { await next(isolation: nil) }
  }
}
