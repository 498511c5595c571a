import KeepsakeBase

extension LiveDocument {
  /// Ends the conflict, if there is one.
  ///
  /// - Returns: The document that was kept: of two, the one with the new identity; this one then
  ///   takes what the file holds.
  /// - Throws: ``DocumentError`` with another `conflict` where the file changed again since, and as
  ///   ``DocumentStore/save(_:)-(Document)`` and ``DocumentStore/load(_:)`` do.
  @discardableResult
  public func resolve(_ resolution: DocumentResolution) throws(DocumentError) -> Document {
    let result = store.saving.withLock { _ in
      Result { () throws(DocumentError) in try resolveNow(resolution) }
    }
    if case .failure(let error) = result, let conflict = error.conflict { didMeet(conflict) }
    tell()
    store.changed([id])
    return try result.get()
  }

  private func resolveNow(_ resolution: DocumentResolution) throws(DocumentError) -> Document {
    guard let decided = state.withLock({ $0.conflict }), let unsaved = unsaved() else {
      return state.withLock { $0.value }
    }
    // What was edited since is part of it.
    let base = unsaved.base?.bytes
    let conflict =
      try store.conflict(of: unsaved.value, name, with: decided.found, base: base) ?? decided
    switch resolution {
    case .takeMine:
      let texts = try store.write([(unsaved.value, .found(decided.found, base: base))])
      didSave(unsaved.edits, texts[0])
      store.settle(self)
      return unsaved.value
    case .merge:
      let merged = try store.decode(conflict.merged, of: conflict)
      try store.write(merged: conflict, as: merged)
      try takeFile(givingUp: unsaved.edits)
      return merged
    case .takeTheirs:
      try takeFile(givingUp: unsaved.edits)
      return state.withLock { $0.value }
    case .keepBoth:
      let copy = try store.keepCopy(of: unsaved.value, conflict.ours)
      try takeFile(givingUp: unsaved.edits)
      return copy
    }
  }

  /// Takes what the file holds in place of some edits; later ones stay, to be saved.
  private func takeFile(givingUp edits: Int) throws(DocumentError) {
    guard try store.directory.content(of: name) != nil else {
      take(nil, nil, givingUp: edits)
      store.settle(self)
      return
    }
    let (value, content) = try store.read(name)
    take(value, content, givingUp: edits)
    store.settle(self)
  }
}
