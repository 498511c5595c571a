extension DocumentStore {
  /// Opens a document; while it is open, each call returns the same object.
  ///
  /// - Throws: ``DocumentError`` as ``load(_:)`` does.
  public func open(_ id: ID) throws(DocumentError) -> LiveDocument<Document> {
    if let live = liveIfOpen(id) { return live }
    try startWatching()
    let (value, content) = try read(directory.name(of: id))
    let live = coordinator.add(LiveDocument(value, content: content, store: self))
    // Changes before it was open were not noticed.
    follow(id)
    return live
  }

  /// Creates a document and opens it.
  ///
  /// - Throws: ``DocumentError`` as ``create(_:)`` does.
  public func add(_ document: Document) throws(DocumentError) -> LiveDocument<Document> {
    try startWatching()
    try create(document)
    return try open(document.id)
  }

  /// Saves all live documents that have unsaved changes, with the flushes of one.
  ///
  /// Call it when the user finishes editing, and when the app's scene becomes inactive. It is called
  /// when the process exits.
  ///
  /// - Throws: ``DocumentError`` for the first that cannot be saved; all others are.
  public func saveAll() throws(DocumentError) {
    try coordinator.save(coordinator.unsaved, in: self)
  }

  /// Saves all live documents and stops watching the directory.
  ///
  /// - Throws: ``DocumentError`` as ``saveAll()`` does.
  public func close() throws(DocumentError) {
    stopWatching()
    try saveAll()
  }

  /// The live document of an id, if it is open.
  func liveIfOpen(_ id: ID) -> LiveDocument<Document>? {
    coordinator.document(named: directory.name(of: id))
  }

  /// Updates a live document from its file.
  func follow(_ id: ID) { coordinator.follow(directory.name(of: id), in: self) }

  /// Updates open documents and loops over the changes after a change by this store.
  func changed(_ ids: [ID]) {
    for id in ids { follow(id) }
    noteChange(of: ids)
    sharing.withLock { $0 }?.changed(ids.map { directory.name(of: $0) })
  }
}

extension DocumentStore: UnsavedDocuments.Owner {
  func saveAtExit() { coordinator.saveAtExit(in: self) }
}
