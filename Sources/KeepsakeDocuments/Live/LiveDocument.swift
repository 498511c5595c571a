import KeepsakeBase
public import Observation

/// A document that is open: one object, however many windows show it.
///
/// ```swift
/// let card = try cards.open(id)
/// card.edit { $0.title = "Summer" }
/// ```
///
/// An edit is saved within the store's autosave delay, or when ``save()`` or the store's `saveAll()`
/// asks for it. Where the file changes on disk, the document follows; where it has unsaved changes,
/// that is a ``conflict``, and nothing is saved until it is resolved. Observation tracks what is read
/// of it; ``values`` gives one value after the other.
public final class LiveDocument<Document: Codable & Identifiable & Sendable>: Sendable, Observable,
  Identifiable
where Document.ID: DocumentID {
  struct State {
    var value: Document
    /// Grows with each edit.
    var edits = 0
    /// The edits that are in the file.
    var saved = 0
    /// How often the file's content took the place of the value.
    var takes = 0
    /// What the file held when the value was made of it; `nil` where there is none.
    var base: KnownContents.Content?
    /// What a save was about to write whose outcome is not known: the file may hold it.
    var attempt: [UInt8]?
    var conflict: DocumentConflict?
    var isRemoved = false
    /// What the file held when it could not be read.
    var unreadable: ContentDigest?
    /// The edits that an autosave could not save.
    var failed: Int?
    /// What those who track or wait are to be told once no lock is held.
    var untold: [PartialKeyPath<LiveDocument>] = []
    /// When a past version was last kept of what an autosave replaced.
    var lastVersion: ContinuousClock.Instant?
  }

  /// What names the document.
  public let id: Document.ID
  /// The name of its file.
  let name: String
  let store: DocumentStore<Document>
  let state: Mutex<State>
  /// Held while an edit is made, so that edits come one after the other.
  private let editing = Mutex(())
  let signal = ChangeSignal()
  private let registrar = ObservationRegistrar()

  init(_ value: Document, content: [UInt8]?, store: DocumentStore<Document>) {
    id = value.id
    name = store.directory.name(of: id)
    self.store = store
    state = Mutex(State(value: value, base: content.map { KnownContents.Content($0) }))
  }

  deinit { store.forget(name) }

  // MARK: Reading

  /// The document as it is now, unsaved changes included.
  public var value: Document {
    registrar.access(self, keyPath: \.value)
    return state.withLock { $0.value }
  }

  /// Whether there are changes that no file has.
  public var hasUnsavedChanges: Bool {
    registrar.access(self, keyPath: \.hasUnsavedChanges)
    return state.withLock { $0.edits != $0.saved }
  }

  /// What somebody else made of the document while there were unsaved changes; nothing is saved until
  /// ``resolve(_:)`` is called.
  public var conflict: DocumentConflict? {
    registrar.access(self, keyPath: \.conflict)
    return state.withLock { $0.conflict }
  }

  /// Whether the document's file was removed; it comes back if the document is edited and saved.
  public var isRemoved: Bool {
    registrar.access(self, keyPath: \.isRemoved)
    return state.withLock { $0.isRemoved }
  }

  // MARK: Editing

  /// When an edit is to be saved.
  public enum Saving: Hashable, Sendable {
    /// Within the store's autosave delay, together with others.
    case later
    /// Before the call returns. Where that fails, the store's `onProblem` hears of it, and the edit is
    /// saved later.
    case now
  }

  /// Changes the document.
  ///
  /// Edits of several threads are made one after the other; within an edit the document has its old
  /// value for all others. The body must not edit the same document again.
  ///
  /// - Parameters:
  ///   - saving: When the change is to be saved.
  ///   - body: Changes the value. What it throws leaves the value as it was. It must not change the
  ///     document's identity; if it does, the edit is not made and reported.
  @discardableResult
  public func edit<Result>(
    saving: Saving = .later, _ body: (inout Document) throws -> Result
  ) rethrows -> Result {
    var isDone = false
    // What the body gives is nobody else's, and passes the lock without being used under it.
    nonisolated(unsafe) var result: Result?
    try editing.withLock { _ in
      let before = state.withLock { $0 }
      var new = before.value
      result = try body(&new)
      isDone = set(new, madeFrom: before)
    }
    if isDone {
      tell([\.value, \.hasUnsavedChanges])
      store.scheduleAutosave(of: self)
      if saving == .now {
        do throws(DocumentError) { try save() } catch { store.directory.report(error) }
      }
    }
    return result!
  }

  private func set(_ new: Document, madeFrom before: State) -> Bool {
    guard store.directory.isName(name, of: new.id) else {
      store.directory.report(
        DocumentError(
          .wrongIdentity, "an edit changed the identity of '\(id.documentName)'",
          kept: "the edit was not made"))
      return false
    }
    state.withLock { state in
      state.value = new
      state.edits += 1
      // What the file brought meanwhile is not in the new value: saved over it, it would be lost.
      if state.takes != before.takes { state.base = before.base }
    }
    return true
  }

  /// Saves what is not saved yet; it survives a power cut once this has returned.
  ///
  /// - Throws: ``DocumentError`` with `conflict` where somebody else changed the file, or as
  ///   ``DocumentStore/save(_:)-(Document)`` does.
  public func save() throws(DocumentError) { try store.save(lives: [self]) }

  // MARK: Telling

  /// Tells those who track or wait; called with no lock held, for they may use the store.
  func tell(_ keyPaths: [PartialKeyPath<LiveDocument>] = []) {
    let untold = state.withLock { state in
      defer { state.untold = [] }
      return state.untold
    }
    for keyPath in Set(untold + keyPaths) {
      switch keyPath {
      case \.value:
        registrar.withMutation(of: self, keyPath: \.value) {}
        signal.advance()
      case \.hasUnsavedChanges: registrar.withMutation(of: self, keyPath: \.hasUnsavedChanges) {}
      case \.conflict: registrar.withMutation(of: self, keyPath: \.conflict) {}
      default: registrar.withMutation(of: self, keyPath: \.isRemoved) {}
      }
    }
  }
}
