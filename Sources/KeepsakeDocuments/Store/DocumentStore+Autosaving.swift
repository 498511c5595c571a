import Dispatch
import KeepsakeBase

extension DocumentStore {
  /// Asks for a live document to be saved soon, with all others that are unsaved by then.
  func scheduleAutosave(of live: LiveDocument<Document>) {
    let isDue = lives.withLock { lives in
      // Somebody may have saved it already.
      if live.unsaved() == nil { return false }
      if lives.unsaved.isEmpty { UnsavedDocuments.saveAtExit(self) }
      lives.unsaved[live.name] = live
      defer { lives.isAutosaveDue = true }
      return !lives.isAutosaveDue
    }
    if isDue { autosave(after: configuration.autosaveDelay, isRetry: false) }
  }

  private func autosave(after delay: Duration, isRetry: Bool) {
    Task.detached { [self] in
      try? await configuration.clock.sleep(for: delay)
      queue.async { self.autosave(isRetry: isRetry) }
    }
  }

  private func autosave(isRetry: Bool) {
    lives.withLock { lives in
      if isRetry { lives.isRetryDue = false } else { lives.isAutosaveDue = false }
    }
    // What could not be saved keeps the rest from nothing: it has its own times, unless it was edited.
    try? save(lives: unsaved.filter { isRetry || !$0.hasFailed }, automatically: true)

    let isFailing = unsaved.contains(where: \.hasFailed)
    let failures = lives.withLock { lives -> Int? in
      if !isFailing { lives.failures = 0 }
      if !isFailing || lives.isRetryDue { return nil }
      lives.isRetryDue = true
      lives.failures += 1
      return lives.failures
    }
    // A disk that is full or gone is seldom back at once.
    if let failures {
      autosave(after: configuration.autosaveDelay * (1 << min(failures, 6)), isRetry: true)
    }
  }
}

extension LiveDocument {
  /// Whether an autosave could not save it as it is now.
  fileprivate var hasFailed: Bool { state.withLock { $0.failed == $0.edits } }
}

extension DocumentStore: UnsavedDocuments.Owner {
  func saveAtExit() {
    // A save that is under way may be waiting for something that never comes.
    for _ in 0..<10_000 {
      if saving.withLockIfAvailable({ _ in true }) == true { break }
      usleep(1000)
    }
    do throws(DocumentError) {
      guard saving.withLockIfAvailable({ _ in true }) == true else {
        throw DocumentError(
          .notWritten, "the process ended while a save took more than ten seconds",
          kept: "\(unsaved.count) documents have changes that no file has")
      }
      try saveAll()
    } catch {
      directory.report(error)
    }
  }
}
