import KeepsakeBase

/// The values that a live document takes, the present one first.
///
/// Whoever is slow skips values, but always comes to the latest.
public struct LiveDocumentValues<Document: Codable & Identifiable & Sendable>: AsyncSequence,
  Sendable
where Document.ID: DocumentID {
  let live: LiveDocument<Document>

  /// Gives the values one after the other.
  public func makeAsyncIterator() -> Iterator { Iterator(live: live) }

  /// The place that a loop has come to.
  public struct Iterator: AsyncIteratorProtocol {
    let live: LiveDocument<Document>
    var seen: UInt64 = 0

    /// The next value; `nil` once the task is cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Never) -> Document? {
      while !Task.isCancelled {
        let version = live.signal.version
        if version != seen {
          seen = version
          return live.state.withLock { $0.value }
        }
        await live.signal.wait(past: seen)
      }
      return nil
    }

    /// The next value; `nil` once the task is cancelled.
    public mutating func next() async -> Document? { await next(isolation: nil) }
  }
}

extension LiveDocument {
  /// The values that the document takes from now on, the present one first.
  public var values: LiveDocumentValues<Document> { LiveDocumentValues(live: self) }
}
