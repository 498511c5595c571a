import KeepsakeBase
public import Observation

/// An open document: one object for any number of windows.
///
/// ```swift
/// let card = try cards.open(id)
/// card.edit { $0.title = "Summer" }
/// ```
///
/// An edit is saved within the store's autosave delay, or by ``save()`` or the store's `saveAll()`. If
/// another program changes the file, the document follows; with unsaved changes, that is a
/// ``conflict``, and nothing is saved until it is resolved. Observation tracks its properties;
/// ``values`` is a sequence of its values.
public final class LiveDocument<Document: Codable & Identifiable & Sendable>: Sendable, Observable,
  Identifiable
where Document.ID: DocumentID {
  struct State: Sendable {
    var value: Document
    var saves: SaveState
  }

  /// The document's identity.
  public let id: Document.ID
  /// The name of its file.
  let name: String
  let store: DocumentStore<Document>
  let state: Mutex<State>
  /// Held while an edit is made, so that there is one at a time.
  private let editing = Mutex(())
  let signal = ChangeSignal()
  private let registrar = ObservationRegistrar()

  init(_ value: Document, content: [UInt8]?, store: DocumentStore<Document>) {
    id = value.id
    name = store.directory.name(of: id)
    self.store = store
    state = Mutex(State(value: value, saves: SaveState(base: content)))
  }

  deinit { store.coordinator.remove(name) }

  // MARK: Reading

  /// The current value, with unsaved changes.
  public var value: Document {
    registrar.access(self, keyPath: \.value)
    return state.withLock { $0.value }
  }

  /// Whether there are changes that are not in the file.
  public var hasUnsavedChanges: Bool {
    registrar.access(self, keyPath: \.hasUnsavedChanges)
    return isDirty
  }

  /// The conflict of unsaved changes with those of another program; nothing is saved until
  /// ``resolve(_:)`` is called.
  public var conflict: DocumentConflict? {
    registrar.access(self, keyPath: \.conflict)
    return saves.conflict
  }

  /// Whether the document's file was removed; it is created again if the document is edited and saved.
  public var isRemoved: Bool {
    registrar.access(self, keyPath: \.isRemoved)
    return saves.isRemoved
  }

  // MARK: Editing

  /// When an edit is saved.
  public enum Saving: Hashable, Sendable {
    /// Within the store's autosave delay, together with others.
    case later
    /// Before the call returns. If that fails, the store's `onProblem` receives the error, and the edit
    /// is saved later.
    case now
  }

  /// Changes the document.
  ///
  /// Threads edit one after the other; during an edit all others see the old value. The body must not
  /// edit the same document.
  ///
  /// - Parameters:
  ///   - saving: When the change is saved.
  ///   - body: Changes the value. If it throws, the value is unchanged. It must not change the
  ///     document's identity; such an edit is not made, and is reported.
  @discardableResult
  public func edit<Result>(
    saving: Saving = .later, _ body: (inout Document) throws -> Result
  ) rethrows -> Result {
    var isDone = false
    // Only this call uses the result, and not while the lock is held.
    nonisolated(unsafe) var result: Result?
    try editing.withLock { _ in
      let before = state.withLock { $0 }
      var new = before.value
      result = try body(&new)
      isDone = set(new, madeFrom: before.saves)
    }
    if isDone {
      notifyObservers()
      store.coordinator.scheduleAutosave(of: self, in: store)
      if saving == .now {
        do throws(DocumentError) { try save() } catch { store.directory.report(error) }
      }
    }
    return result!
  }

  private func set(_ new: Document, madeFrom before: SaveState) -> Bool {
    guard store.directory.isName(name, of: new.id) else {
      store.directory.report(
        DocumentError(
          .wrongIdentity, "an edit changed the identity of '\(id.documentName)'",
          kept: "the edit was not made"))
      return false
    }
    state.withLock { state in
      state.value = new
      state.saves.didEdit(from: before)
    }
    return true
  }

  /// Saves unsaved changes; they survive a power cut once the call has returned.
  ///
  /// - Throws: ``DocumentError`` with `conflict` if another program changed the file, and as
  ///   ``DocumentStore/save(_:)-(Document)`` does.
  public func save() throws(DocumentError) { try store.coordinator.save([self], in: store) }

  /// Ends the conflict, if there is one.
  ///
  /// - Returns: The document that was kept; of two, the one with the new identity, while this one has
  ///   the content of the file.
  /// - Throws: ``DocumentError`` with another `conflict` if the file changed again, and as
  ///   ``DocumentStore/save(_:)-(Document)`` and ``DocumentStore/load(_:)`` do.
  @discardableResult
  public func resolve(
    _ resolution: DocumentConflict.Resolution
  ) throws(DocumentError) -> Document {
    try store.coordinator.resolve(self, by: resolution, in: store)
  }
}

/// For the coordinator of saves.
extension LiveDocument {
  /// How the document compares to its file.
  var saves: SaveState { state.withLock { $0.saves } }
  /// Whether there are edits that are not in the file.
  var isDirty: Bool { state.withLock { $0.saves.isDirty } }

  /// Changes how the document compares to its file; ``notifyObservers()`` is called once no lock is held.
  func update<Result>(_ change: (inout SaveState) -> Result) -> Result {
    state.withLock { change(&$0.saves) }
  }

  /// Replaces the value by the content of its file, unless there were more edits than those that are
  /// saved or discarded.
  ///
  /// - Parameter new: The value and the content that it was decoded from; `nil` if the file was removed.
  /// - Returns: Whether the value was replaced.
  @discardableResult
  func replaceValue(by new: (value: Document, content: [UInt8])?, ifNoEditsBut edits: Int) -> Bool {
    state.withLock { state in
      guard state.saves.edits == edits else { return false }
      if let new { state.value = new.value }
      state.saves.didReplaceValue(by: new?.content)
      return true
    }
  }

  /// Notifies observers of the properties that changed; called with no lock held, because they may use
  /// the store.
  func notifyObservers() {
    for property in state.withLock({ $0.saves.takeChanges() }) {
      ObservedChanges.increment()
      switch property {
      case .value:
        registrar.withMutation(of: self, keyPath: \.value) {}
        signal.advance()
      case .hasUnsavedChanges: registrar.withMutation(of: self, keyPath: \.hasUnsavedChanges) {}
      case .conflict: registrar.withMutation(of: self, keyPath: \.conflict) {}
      case .isRemoved: registrar.withMutation(of: self, keyPath: \.isRemoved) {}
      }
    }
  }
}

// MARK: - Values

extension LiveDocument {
  /// The values of the document from now on, beginning with the current one.
  ///
  /// A slow loop skips values, but always receives the latest. A loop ends once its task is canceled.
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
