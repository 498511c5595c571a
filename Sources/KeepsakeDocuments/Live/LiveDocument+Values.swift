import KeepsakeBase

extension LiveDocument {
  /// The values of the document from now on, the present one first.
  ///
  /// A slow loop skips values, but always comes to the latest. A loop ends once its task is canceled.
  public var values: some AsyncSequence<Document, Never> & Sendable {
    ChangeSequence { LiveDocumentCursor(live: self) }
  }
}

/// The position of a loop among the values of a live document.
private struct LiveDocumentCursor<Document: Codable & Identifiable & Sendable>: ChangeCursor
where Document.ID: DocumentID {
  let live: LiveDocument<Document>
  var seen: UInt64 = 0

  var waiters: Waiters { live.signal.waiters }
  var hasChanged: Bool { live.signal.version != seen }

  mutating func next() -> Document? {
    let version = live.signal.version
    if version == seen { return nil }
    seen = version
    return live.state.withLock { $0.value }
  }
}
