import KeepsakeBase

/// Decides what becomes of the open documents of a store: which are to be saved, when, and what happens
/// if that fails or if their files change.
///
/// It is only used through its store, which each call receives.
final class SaveCoordinator<Document: Codable & Identifiable & Sendable>: Sendable
where Document.ID: DocumentID {
  typealias Store = DocumentStore<Document>
  typealias Live = LiveDocument<Document>

  /// A weak reference.
  fileprivate struct Weak: Sendable {
    private(set) weak var value: Live?

    init(_ value: Live) {
      self.value = value
    }
  }

  struct State: Sendable {
    /// The open documents, by the names of their files: Swift's `==` does not distinguish all ids.
    fileprivate var open: [String: Weak] = [:]
    /// Those with unsaved edits, which are kept until they are saved.
    var unsaved: [String: Live] = [:]
    var isAutosaveScheduled = false
    /// Whether another attempt to save what could not be saved is scheduled.
    var isRetryScheduled = false
    /// How many attempts in a row failed.
    var failureCount = 0
  }

  let state = Mutex(State())
  /// Held while open documents are saved or follow their files, so that one happens after the other.
  let saving = Mutex(())

  // MARK: Open documents

  /// The open documents with unsaved edits, in the order of their files' names.
  var unsaved: [Live] {
    state.withLock { Array($0.unsaved.values) }
      .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// The names of the open documents' files.
  var openNames: [String] { state.withLock { Array($0.open.keys) } }

  /// The open document of a file.
  func document(named name: String) -> Live? { state.withLock { $0.open[name]?.value } }

  /// Adds an open document, unless the same is open already.
  ///
  /// - Returns: The one that is open now.
  func add(_ live: Live) -> Live {
    state.withLock { state in
      if let other = state.open[live.name]?.value { return other }
      state.open[live.name] = Weak(live)
      return live
    }
  }

  /// Notes that an open document was released.
  func remove(_ name: String) {
    let other = state.withLock { state in
      let other = state.open[name]?.value
      if other == nil { state.open[name] = nil }
      return other
    }
    // If this were the last reference, its release would call this function again.
    withExtendedLifetime(other) {}
  }

  /// Keeps an open document no longer because of its unsaved edits, unless it has new ones.
  func settle(_ live: Live, in store: Store) {
    state.withLock { state in
      if !live.isDirty { state.unsaved[live.name] = nil }
      if state.unsaved.isEmpty { UnsavedDocuments.forget(store) }
    }
  }

  // MARK: Saving

  /// Saves the unsaved edits of some open documents, with the flushes of one.
  ///
  /// - Parameter automatically: Whether nobody asked for it: what is in conflict is left out, errors are
  ///   reported, and not each of many saves keeps a past version.
  /// - Throws: ``DocumentError`` for the first that cannot be saved; all others are.
  func save(
    _ all: [Live], automatically: Bool = false, in store: Store
  ) throws(DocumentError) {
    let (saved, failure) = saving.withLock { _ -> ([Document.ID], DocumentError?) in
      let rest = automatically ? all.filter { $0.saves.conflict == nil } : all
      do throws(DocumentError) {
        return (try saveTogether(rest, automatically, in: store), nil)
      } catch {
        _ = noteQuarantine(error, of: rest, in: store)
      }
      // One that cannot be saved does not prevent the others from being saved.
      var saved: [Document.ID] = []
      var failure: DocumentError?
      for live in rest {
        let edits = live.saves.edits
        do throws(DocumentError) {
          saved += try saveOne(live, automatically, in: store)
        } catch {
          if let conflict = error.conflict {
            // The document shows it itself.
            live.update { $0.didConflict(conflict) }
          } else if automatically, live.update({ $0.didFail(edits) }) {
            store.directory.report(error)
          }
          failure = failure ?? error
        }
      }
      return (saved, failure)
    }
    for live in all { live.notifyObservers() }
    store.noteChange(of: saved)
    if let failure { throw failure }
  }

  /// Saves one open document, also in place of a file that is not JSON.
  private func saveOne(
    _ live: Live, _ automatically: Bool, in store: Store
  ) throws(DocumentError) -> [Document.ID] {
    do throws(DocumentError) {
      return try saveTogether([live], automatically, in: store)
    } catch {
      guard noteQuarantine(error, of: [live], in: store) else { throw error }
      return try saveTogether([live], automatically, in: store)
    }
  }

  private func saveTogether(
    _ lives: [Live], _ automatically: Bool, in store: Store
  ) throws(DocumentError) -> [Document.ID] {
    for live in lives where live.saves.isUncertain {
      let content = try store.directory.content(of: live.name)
      live.update { $0.didRead(content) }
    }
    let unsaved = lives.map { (live: $0, state: $0.state.withLock { $0 }) }
      .filter { $0.state.saves.isDirty }
    if unsaved.isEmpty { return [] }
    let keepsVersions = !automatically || unsaved.contains { $0.state.saves.isVersionDue }
    let texts = try store.write(
      unsaved.map { ($0.state.value, .content($0.state.saves.base)) },
      keepingVersions: keepsVersions
    ) { texts in
      for ((live, _), text) in zip(unsaved, texts) { live.update { $0.willSave(text) } }
    }
    for ((live, state), text) in zip(unsaved, texts) {
      live.update { $0.didSave(state.saves.edits, as: text, keepingVersion: keepsVersions) }
      settle(live, in: store)
    }
    return unsaved.map(\.live.id)
  }

  /// Reports that the file of an open document was quarantined, and lets the next save create a new one.
  ///
  /// - Returns: Whether an error is about that.
  func noteQuarantine(_ error: DocumentError, of lives: [Live], in store: Store) -> Bool {
    guard error.code == .unreadable else { return false }
    for live in lives {
      let file = store.directory.file(live.name)
      guard file == error.file, (try? store.directory.information(at: file)) == .some(nil) else {
        continue
      }
      live.update { $0.didQuarantine() }
      store.directory.report(error)
      return true
    }
    return false
  }
}
