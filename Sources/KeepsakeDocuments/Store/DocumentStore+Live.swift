import Dispatch
import KeepsakeBase

extension DocumentStore {
  /// Opens a document: the same object for all who have it open.
  ///
  /// - Throws: ``DocumentError`` as ``load(_:)`` does.
  public func open(_ id: ID) throws(DocumentError) -> LiveDocument<Document> {
    if let live = liveIfOpen(id) { return live }
    try startWatching()
    let (value, content) = try read(directory.name(of: id))
    let live = insert(LiveDocument(value, content: content, store: self))
    // What changed before it was there to be told.
    follow(id)
    return live
  }

  /// Keeps a new document and opens it.
  ///
  /// - Throws: ``DocumentError`` as ``create(_:)`` does.
  public func add(_ document: Document) throws(DocumentError) -> LiveDocument<Document> {
    try startWatching()
    try create(document)
    return try open(document.id)
  }

  /// Saves all live documents that have unsaved changes, with the flushes of one; to be called when
  /// the user is done, when the app's scene turns inactive, before it ends.
  ///
  /// It is done too when the process exits.
  ///
  /// - Throws: ``DocumentError`` for the first that cannot be saved; all others are.
  public func saveAll() throws(DocumentError) { try save(lives: unsaved) }

  /// Saves all live documents and stops looking for changes.
  ///
  /// - Throws: ``DocumentError`` as ``saveAll()`` does.
  public func close() throws(DocumentError) {
    stopWatching()
    try saveAll()
  }

  // MARK: The live documents

  /// The live documents with unsaved changes, in the order of their names.
  var unsaved: [LiveDocument<Document>] {
    lives.withLock { Array($0.unsaved.values) }
      .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  func liveIfOpen(_ id: ID) -> LiveDocument<Document>? {
    let name = directory.name(of: id)
    return lives.withLock { $0.open[name]?.value }
  }

  private func insert(_ live: LiveDocument<Document>) -> LiveDocument<Document> {
    lives.withLock { lives in
      if let other = lives.open[live.name]?.value { return other }
      lives.open[live.name] = LiveDocuments<Document>.Weak(live)
      return live
    }
  }

  /// Takes note that a live document is gone.
  func forget(_ name: String) {
    let other = lives.withLock { lives in
      let other = lives.open[name]?.value
      if other == nil { lives.open[name] = nil }
      return other
    }
    // Were this the last to have it, it would come here again.
    withExtendedLifetime(other) {}
  }

  /// Lets those who have some documents open, and those who wait for changes, see a change of this
  /// store's own.
  func changed(_ ids: [ID]) {
    for id in ids { follow(id) }
    noteChange(of: ids)
  }

  /// Lets a live document see what became of its file after some seconds.
  func follow(_ id: ID, after seconds: Double) {
    queue.asyncAfter(deadline: .now() + seconds) { [weak self] in self?.follow(id) }
  }

  /// Lets a live document see what became of its file.
  func follow(_ id: ID) {
    guard let live = liveIfOpen(id) else { return }
    saving.withLock { _ in
      do throws(DocumentError) { try live.follow() } catch { directory.report(error) }
    }
    live.tell()
  }

  // MARK: Saving

  /// Saves what is unsaved of some live documents.
  func save(
    lives all: [LiveDocument<Document>], automatically: Bool = false
  ) throws(DocumentError) {
    let (saved, failure) = saving.withLock { _ -> ([ID], DocumentError?) in
      let rest = all.filter { live in
        // Nobody is asked a second time.
        !(automatically && live.state.withLock { $0.conflict != nil })
      }
      do throws(DocumentError) {
        return (try saveNow(rest, automatically), nil)
      } catch {
        _ = noteQuarantine(error, of: rest)
      }
      // One that cannot be saved is not to keep the others from it.
      var saved: [ID] = []
      var failure: DocumentError?
      for live in rest {
        let edits = live.state.withLock { $0.edits }
        do throws(DocumentError) {
          saved += try saveOne(live, automatically)
        } catch {
          if let conflict = error.conflict {
            // The document tells of it itself.
            live.didMeet(conflict)
          } else if automatically, live.didFail(edits) {
            directory.report(error)
          }
          failure = failure ?? error
        }
      }
      return (saved, failure)
    }
    for live in all { live.tell() }
    noteChange(of: saved)
    if let failure { throw failure }
  }

  /// Saves one live document, in place of a file that is not JSON, too.
  private func saveOne(
    _ live: LiveDocument<Document>, _ automatically: Bool
  ) throws(DocumentError) -> [ID] {
    do throws(DocumentError) {
      return try saveNow([live], automatically)
    } catch {
      guard noteQuarantine(error, of: [live]) else { throw error }
      return try saveNow([live], automatically)
    }
  }

  /// Reports that the file of a live document was quarantined, and lets the next save make a new one.
  ///
  /// - Returns: Whether that is what an error is about.
  func noteQuarantine(
    _ error: DocumentError, of lives: [LiveDocument<Document>]
  ) -> Bool {
    guard error.code == .unreadable else { return false }
    for live in lives {
      let file = directory.file(live.name)
      guard file == error.file, (try? directory.information(at: file)) == .some(nil) else {
        continue
      }
      live.state.withLock { $0.base = nil }
      directory.report(error)
      return true
    }
    return false
  }

  private func saveNow(
    _ lives: [LiveDocument<Document>], _ automatically: Bool
  ) throws(DocumentError) -> [ID] {
    for live in lives where live.state.withLock({ $0.attempt != nil }) {
      live.didFind(try directory.content(of: live.name))
    }
    let unsaved = lives.compactMap { live in live.unsaved().map { (live: live, $0) } }
    if unsaved.isEmpty { return [] }
    // Not each of many autosaves that follow one another: they would push out all that came before.
    let keepsVersions = !automatically || unsaved.contains { $0.live.isVersionDue }
    let texts = try write(
      unsaved.map { ($1.value, .content($1.base)) }, keepingVersions: keepsVersions
    ) { texts in
      for ((live, _), text) in zip(unsaved, texts) { live.willSave(text) }
    }
    for ((live, unsaved), text) in zip(unsaved, texts) {
      live.didSave(unsaved.edits, text, keepingVersion: keepsVersions)
      settle(live)
    }
    return unsaved.map(\.live.id)
  }

  /// Keeps a live document no longer for the sake of its unsaved changes, unless it has new ones.
  func settle(_ live: LiveDocument<Document>) {
    lives.withLock { lives in
      if live.unsaved() == nil { lives.unsaved[live.name] = nil }
      if lives.unsaved.isEmpty { UnsavedDocuments.forget(self) }
    }
  }
}
