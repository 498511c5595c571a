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
