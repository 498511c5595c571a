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
    public let progress: Progress

    /// The document, if the file held one.
    public var document: Document? { try? result.get() }
    /// Why the file gave no document, if so.
    public var error: DocumentError? {
      if case .failure(let error) = result { error } else { nil }
    }
  }

  /// How many of how many documents are loaded.
  public struct Progress: Hashable, Sendable {
    /// The documents and errors so far, this one included.
    public var done: Int
    /// The number of files.
    public var total: Int
  }

  let store: DocumentStore<Document>

  /// Begins to load.
  public func makeAsyncIterator() -> Iterator { Iterator(DocumentLoading(store)) }

  /// The place that a loop has come to.
  public struct Iterator: AsyncIteratorProtocol {
    private let place: Place

    init(_ loading: DocumentLoading<Document>) {
      place = Place(loading)
    }

    /// The next document or error; `nil` after the last, or once the task is cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Never) -> Element? {
      if place.isPieceTaken {
        guard let (piece, total) = await place.loading.nextPiece() else { return nil }
        place.begin(piece, of: total)
      }
      return place.next()
    }

    /// The next document or error; `nil` after the last, or once the task is cancelled.
    public mutating func next() async -> Element? {
      await next(isolation: nil)
    }
  }
}

extension DocumentSequence {
  /// What an iterator has come to: no value, so that it ends.
  private final class Place {
    let loading: DocumentLoading<Document>
    private var piece = DocumentPiece<Document>()
    private var taken = 0
    private var progress = Progress(done: 0, total: 0)

    init(_ loading: DocumentLoading<Document>) {
      self.loading = loading
    }

    deinit { piece.errors.forEach(loading.report) }

    var isPieceTaken: Bool { taken == piece.results.count }

    func begin(_ piece: consuming DocumentPiece<Document>, of total: Int) {
      self.piece = piece
      taken = 0
      progress.total = total
    }

    /// The next element of the piece; only now has the program seen it.
    func next() -> Element {
      defer { taken += 1 }
      progress.done += 1
      if let content = piece.contents[taken] {
        loading.noteSeen(content, of: piece.names[piece.names.startIndex + taken], in: piece)
      }
      return Element(result: piece.results[taken].take()!, progress: progress)
    }
  }
}

extension DocumentStore {
  /// Loads all documents: several at once, in the order of their files' names.
  ///
  /// Where the directory cannot be listed, that is the one error of the sequence.
  public func loadAll() -> DocumentSequence<Document> { DocumentSequence(store: self) }
}
