/// All documents of a store as they are loaded: several at once, in the order of their files' names.
///
/// A file that holds no document gives an error in its place, and the next follows; where the loop ends
/// before it comes to one that was read, the store's `onProblem` hears of it. Only as many are loaded
/// ahead of the loop as keep the processors at work, and of long ones some 64 MB.
public struct DocumentSequence<Document: Codable & Identifiable & Sendable>: AsyncSequence, Sendable
where Document.ID: DocumentID {
  /// A document, or why a file gave none, and how far the loading has come.
  public struct Element: Sendable {
    /// The document, or the error of its file.
    public let result: Result<Document, DocumentError>
    /// How far the loading has come.
    public let progress: DocumentProgress

    /// The document, if the file held one.
    public var document: Document? { try? result.get() }
    /// Why the file gave no document, if so.
    public var error: DocumentError? {
      if case .failure(let error) = result { error } else { nil }
    }
  }

  let store: DocumentStore<Document>

  /// Begins to load.
  public func makeAsyncIterator() -> Iterator { Iterator(DocumentLoading(store)) }

  /// The place that a loop has come to.
  public struct Iterator: AsyncIteratorProtocol {
    private let loading: DocumentLoading<Document>
    private var done = 0

    init(_ loading: DocumentLoading<Document>) {
      self.loading = loading
    }

    /// The next document or error; `nil` after the last, or once the task is cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Never) -> Element? {
      guard let (result, total) = await loading.next() else { return nil }
      done += 1
      return Element(result: result, progress: DocumentProgress(done: done, total: total))
    }

    /// The next document or error; `nil` after the last, or once the task is cancelled.
    public mutating func next() async -> Element? {
      await next(isolation: nil)
    }
  }
}

extension DocumentStore {
  /// Loads all documents: several at once, in the order of their files' names.
  ///
  /// Where the folder cannot be listed, that is the one error of the sequence.
  public func loadAll() -> DocumentSequence<Document> { DocumentSequence(store: self) }
}
