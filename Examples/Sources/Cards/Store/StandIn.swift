import Observation
import Stage

@MainActor
@Observable
final class LiveDocument<Document: Codable & Identifiable & Sendable>
where Document.ID: DocumentID {
  enum Saving { case later, now }
  private(set) var value: Document
  @ObservationIgnored private let store: DocumentStore<Document>
  @ObservationIgnored private var task: Task<Void, Never>?

  init(_ value: Document, _ store: DocumentStore<Document>) {
    self.value = value
    self.store = store
  }

  func edit(saving: Saving = .later, _ change: (inout Document) -> Void) throws {
    change(&value)
    if saving == .now { return try save() }
    if task == nil {
      task = Task {
        try? await Task.sleep(for: .seconds(1))
        try? save()
      }
    }
  }

  func save() throws {
    task?.cancel()
    task = nil
    try store.save(value)
  }
}

extension DocumentStore {
  @MainActor func open(_ id: ID) throws -> LiveDocument<Document> {
    LiveDocument(try load(id), self)
  }
  @MainActor func add(_ document: Document) throws -> LiveDocument<Document> {
    try create(document)
    return LiveDocument(document, self)
  }
}
