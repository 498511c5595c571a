import Dispatch
import KeepsakeBase

/// What open documents make of changes that others made to their files.
extension SaveCoordinator {
  /// Lets an open document take over what became of its file.
  func follow(_ name: String, in store: Store) {
    guard let live = document(named: name) else { return }
    saving.withLock { _ in
      do throws(DocumentError) {
        try followNow(live, in: store)
      } catch {
        store.directory.report(error)
      }
    }
    live.notifyObservers()
  }

  private func followNow(_ live: Live, in store: Store) throws(DocumentError) {
    let count = store.directory.writeCount
    let content = try store.directory.content(of: live.name)
    live.update { $0.didRead(content) }
    let saves = live.saves
    if saves.isBase(content) { return endConflict(of: live, in: store) }
    if !saves.isDirty {
      guard let content else {
        live.replaceValue(by: nil, ifNoEditsBut: saves.edits)
        return
      }
      guard let value = try value(of: content, of: live, in: store) else { return }
      store.directory.remember(
        [(live.name, KnownContents.Content(content))], readAfter: count)
      if live.replaceValue(by: (value, content), ifNoEditsBut: saves.edits) { return }
    }
    let unsaved = live.state.withLock { $0 }
    guard unsaved.saves.isDirty else { return }
    // A file that was quarantined was not removed by anybody.
    if content == nil, unsaved.saves.base == nil { return endConflict(of: live, in: store) }
    let conflict: DocumentConflict?
    do throws(DocumentError) {
      conflict = try store.conflict(
        of: unsaved.value, live.name, with: content, base: unsaved.saves.base?.bytes)
    } catch {
      if noteQuarantine(error, of: [live], in: store) { return }
      throw error
    }
    if let conflict {
      live.update { $0.didConflict(conflict) }
    } else if let content {
      live.update { $0.didRebase(onto: content) }
      endConflict(of: live, in: store)
    }
  }

  /// The value for an open document without unsaved edits; `nil` if the file cannot be read, which is
  /// reported once.
  private func value(
    of content: [UInt8], of live: Live, in store: Store
  ) throws(DocumentError) -> Document? {
    do throws(DocumentError) {
      return try store.decode(content, from: live.name)
    } catch {
      // A file that is not JSON is quarantined by the next save or load; it may be half written yet.
      if !store.isJSON(content), try store.isBeingWritten(live.name) {
        store.queue.asyncAfter(deadline: .now() + 0.5) { [weak store, name = live.name] in
          guard let store else { return }
          store.coordinator.follow(name, in: store)
        }
        return nil
      }
      var error = error
      error.kept = "the open document keeps its value, and the file is left unchanged"
      if live.update({ $0.didFailToRead(content) }) { store.directory.report(error) }
      return nil
    }
  }

  private func endConflict(of live: Live, in store: Store) {
    if live.update({ $0.didEndConflict() }) { scheduleAutosave(of: live, in: store) }
  }

  // MARK: Conflicts

  /// Ends the conflict of an open document, if there is one.
  ///
  /// - Returns: The document that was kept.
  func resolve(
    _ live: Live, by resolution: DocumentConflict.Resolution, in store: Store
  ) throws(DocumentError) -> Document {
    let result = saving.withLock { _ in
      Result { () throws(DocumentError) in try resolveNow(live, by: resolution, in: store) }
    }
    if case .failure(let error) = result, let conflict = error.conflict {
      live.update { $0.didConflict(conflict) }
    }
    live.notifyObservers()
    store.changed([live.id])
    return try result.get()
  }

  private func resolveNow(
    _ live: Live, by resolution: DocumentConflict.Resolution, in store: Store
  ) throws(DocumentError) -> Document {
    let unsaved = live.state.withLock { $0 }
    guard let decided = unsaved.saves.conflict, unsaved.saves.isDirty else { return unsaved.value }
    // What was edited since is part of it.
    let base = unsaved.saves.base?.bytes
    let conflict =
      try store.conflict(of: unsaved.value, live.name, with: decided.found, base: base) ?? decided
    switch resolution {
    case .takeMine:
      let texts = try store.write([(unsaved.value, .found(decided.found, base: base))])
      live.update { $0.didSave(unsaved.saves.edits, as: texts[0]) }
      settle(live, in: store)
      return unsaved.value
    case .merge:
      let merged = try store.decode(conflict.merged, of: conflict)
      try store.write(merged: conflict, as: merged)
      try takeFile(live, givingUp: unsaved.saves.edits, in: store)
      return merged
    case .takeTheirs:
      try takeFile(live, givingUp: unsaved.saves.edits, in: store)
      return live.state.withLock { $0.value }
    case .keepBoth:
      // Where the file cannot be taken, each attempt would keep another copy.
      if try store.directory.content(of: live.name) != nil { _ = try store.read(live.name) }
      let copy = try store.keepCopy(of: unsaved.value, conflict.ours)
      try takeFile(live, givingUp: unsaved.saves.edits, in: store)
      return copy
    }
  }

  /// Replaces the value by what the file contains, and gives up some edits; later ones stay, to be saved.
  private func takeFile(
    _ live: Live, givingUp edits: Int, in store: Store
  ) throws(DocumentError) {
    if try store.directory.content(of: live.name) == nil {
      live.replaceValue(by: nil, ifNoEditsBut: edits)
    } else {
      let (value, content) = try store.read(live.name)
      live.replaceValue(by: (value, content), ifNoEditsBut: edits)
    }
    settle(live, in: store)
  }
}
