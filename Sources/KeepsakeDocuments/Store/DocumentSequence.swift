/// All documents of a store, several of which are loaded at once, in the order of their files' names.
///
/// The element of a file that cannot be decoded is an error, and the next follows; if the loop ends before
/// it receives one that was read, the store's `onProblem` does. Only as many documents are loaded ahead of
/// the loop as keep the processors busy, and of long ones about 64 MB.
public struct DocumentSequence<Document: Codable & Identifiable & Sendable>: AsyncSequence, Sendable
where Document.ID: DocumentID {
  /// A document, or the error of its file, and the progress.
  public struct Element: Sendable {
    /// The document, or the error of its file.
    public let result: Result<Document, DocumentError>
    /// The progress.
    public let progress: Progress

    /// The document, if the file could be decoded.
    public var document: Document? { try? result.get() }
    /// The error, if the file could not be decoded.
    public var error: DocumentError? {
      if case .failure(let error) = result { error } else { nil }
    }
  }

  /// How many documents are loaded, and how many there are.
  public struct Progress: Hashable, Sendable {
    /// The number of documents and errors so far, including this one.
    public var done: Int
    /// The number of files.
    public var total: Int
  }

  let store: DocumentStore<Document>

  /// Begins to load.
  public func makeAsyncIterator() -> Iterator { Iterator(DocumentLoading(store)) }

  /// The position of a loop.
  public struct Iterator: AsyncIteratorProtocol {
    private let position: Position

    init(_ loading: DocumentLoading<Document>) {
      position = Position(loading)
    }

    /// The next document or error; `nil` after the last, or once the task is cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Never) -> Element? {
      if position.isChunkTaken {
        guard let (chunk, total) = await position.loading.nextChunk() else { return nil }
        position.begin(chunk, of: total)
      }
      return position.next()
    }

    /// The next document or error; `nil` after the last, or once the task is cancelled.
    public mutating func next() async -> Element? {
      await next(isolation: nil)
    }
  }
}

extension DocumentSequence {
  /// The position of an iterator: a class, so that its end is noticed.
  private final class Position {
    let loading: DocumentLoading<Document>
    private var chunk = DocumentChunk<Document>()
    private var taken = 0
    private var progress = Progress(done: 0, total: 0)

    init(_ loading: DocumentLoading<Document>) {
      self.loading = loading
    }

    deinit { chunk.errors.forEach(loading.report) }

    var isChunkTaken: Bool { taken == chunk.results.count }

    func begin(_ chunk: consuming DocumentChunk<Document>, of total: Int) {
      self.chunk = chunk
      taken = 0
      progress.total = total
    }

    /// The next element of the chunk; only now it counts as received.
    func next() -> Element {
      defer { taken += 1 }
      progress.done += 1
      if let content = chunk.contents[taken] {
        loading.noteSeen(content, of: chunk.names[chunk.names.startIndex + taken], in: chunk)
      }
      return Element(result: chunk.results[taken].take()!, progress: progress)
    }
  }
}

extension DocumentStore {
  /// Loads all documents, several at once, in the order of their files' names.
  ///
  /// If the directory cannot be listed, that is the only element of the sequence.
  public func loadAll() -> DocumentSequence<Document> { DocumentSequence(store: self) }
}
