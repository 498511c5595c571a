/// The live documents of a store: each while somebody has it, or as long as it is to be saved.
struct LiveDocuments<Document: Codable & Identifiable & Sendable>: Sendable
where Document.ID: DocumentID {
  /// A reference that keeps nothing alive.
  struct Weak: Sendable {
    private(set) weak var value: LiveDocument<Document>?

    init(_ value: LiveDocument<Document>) {
      self.value = value
    }
  }

  /// By the names of their files: Swift's `==` makes no difference between some identities.
  var open: [String: Weak] = [:]
  /// Those with unsaved changes.
  var unsaved: [String: LiveDocument<Document>] = [:]
  /// Whether an autosave is due.
  var isAutosaveDue = false
  /// Whether another trial of what could not be saved is.
  var isRetryDue = false
  /// How many trials failed one after the other.
  var failures = 0
}
