import KeepsakeBase
import KeepsakeCoding

/// What a live document makes of its file; called with the store's turn for live documents held, and
/// ``LiveDocument/tell(_:)`` once it is not.
extension LiveDocument {
  /// What is to be saved, if anything is.
  func unsaved() -> (value: Document, edits: Int, base: KnownContents.Content?)? {
    state.withLock { state in
      state.edits == state.saved ? nil : (state.value, state.edits, state.base)
    }
  }

  /// Takes note that some edits are in the file.
  func didSave(_ edits: Int, _ text: [UInt8], keepingVersion: Bool = true) {
    state.withLock { state in
      if keepingVersion { state.lastVersion = .now }
      state.saved = edits
      state.base = KnownContents.Content(text)
      state.attempt = nil
      state.conflict = nil
      state.isRemoved = false
      state.failed = nil
      state.untold += [\.hasUnsavedChanges, \.conflict, \.isRemoved]
    }
  }

  /// Notes what a save is about to write.
  func willSave(_ text: [UInt8]) { state.withLock { $0.attempt = text } }

  /// Notes what the file holds after a save that failed: its text, if only the last flush did.
  func didFind(_ content: [UInt8]?) {
    state.withLock { state in
      if let attempt = state.attempt, content == attempt {
        state.base = KnownContents.Content(attempt)
      }
      state.attempt = nil
    }
  }

  /// Takes note that the file is not as the unsaved changes were made from it.
  func didMeet(_ conflict: DocumentConflict) {
    state.withLock { state in
      state.conflict = conflict
      state.untold += [\.conflict]
    }
  }

  /// Takes note that an autosave could not save some edits.
  ///
  /// - Returns: Whether none could not before, since a save was the last time done.
  func didFail(_ edits: Int) -> Bool {
    state.withLock { state in
      defer { state.failed = edits }
      return state.failed == nil
    }
  }

  /// Notes that the file holds what cannot be read.
  ///
  /// - Returns: Whether it did not hold the same when that was noted last.
  private func didFailToRead(_ content: [UInt8]) -> Bool {
    let digest = ContentDigest(of: content)
    return state.withLock { state in
      defer { state.unreadable = digest }
      return state.unreadable != digest
    }
  }

  /// Takes note that the file is as the unsaved changes were made from it.
  private func endConflict() {
    let isOver = state.withLock { state in
      if state.conflict == nil { return false }
      state.conflict = nil
      state.untold += [\.conflict]
      return true
    }
    if isOver { store.scheduleAutosave(of: self) }
  }

  /// Takes what the file holds now in place of a value that has no unsaved changes.
  ///
  /// - Parameter edits: The edits that are given up; by default there must be none.
  /// - Returns: Whether there were no more edits.
  @discardableResult
  func take(_ value: Document?, _ content: [UInt8]?, givingUp edits: Int? = nil) -> Bool {
    state.withLock { state in
      guard state.edits == edits ?? state.saved else { return false }
      if let value { state.value = value }
      state.base = content.map { KnownContents.Content($0) }
      state.takes += 1
      state.saved = state.edits
      state.conflict = nil
      state.isRemoved = value == nil
      state.failed = nil
      state.untold += [\.value, \.hasUnsavedChanges, \.conflict, \.isRemoved]
      return true
    }
  }

  /// Looks what somebody else made of the file.
  func follow() throws(DocumentError) {
    let count = store.directory.writeCount
    let content = try store.directory.content(of: name)
    didFind(content)
    let (base, isClean, isRemoved) = state.withLock {
      ($0.base?.digest, $0.edits == $0.saved, $0.isRemoved)
    }
    if base == content.map({ ContentDigest(of: $0) }) && isRemoved == (content == nil) {
      return endConflict()
    }
    if isClean {
      guard let content else {
        take(nil, nil)
        return
      }
      // A file that is not JSON is quarantined by the next save or load; it may be half written yet.
      let value: Document
      do throws(DocumentError) {
        value = try store.decode(content, from: name)
      } catch {
        if !store.isJSON(content), try store.isBeingWritten(name) {
          return store.follow(id, after: 0.5)
        }
        var error = error
        error.kept = "the open document keeps its value, and the file is left unchanged"
        if didFailToRead(content) { store.directory.report(error) }
        return
      }
      store.directory.remember([(name, KnownContents.Content(content))], readAfter: count)
      if take(value, content) { return }
    }
    guard let unsaved = unsaved() else { return }
    // A file that was quarantined was not removed by anybody.
    if content == nil, unsaved.base == nil { return endConflict() }
    let conflict: DocumentConflict?
    do throws(DocumentError) {
      conflict = try store.conflict(
        of: unsaved.value, name, with: content, base: unsaved.base?.bytes)
    } catch {
      if store.noteQuarantine(error, of: [self]) { return }
      throw error
    }
    if let conflict {
      didMeet(conflict)
    } else if let content {
      state.withLock { $0.base = KnownContents.Content(content) }
      endConflict()
    }
  }

  /// Whether what an autosave replaces is to be kept as a past version.
  var isVersionDue: Bool {
    state.withLock { $0.lastVersion.map { .now - $0 >= .seconds(60) } ?? true }
  }
}
