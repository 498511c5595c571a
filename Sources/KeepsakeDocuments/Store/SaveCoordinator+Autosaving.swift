import Dispatch
import KeepsakeBase

extension SaveCoordinator {
  /// Schedules an open document to be saved soon, with all others that are unsaved by then.
  func scheduleAutosave(of live: Live, in store: Store) {
    let isFirst = state.withLock { state in
      // It may be saved by now.
      if !live.isDirty { return false }
      if state.unsaved.isEmpty { UnsavedDocuments.saveAtExit(store) }
      state.unsaved[live.name] = live
      defer { state.isAutosaveScheduled = true }
      return !state.isAutosaveScheduled
    }
    if isFirst {
      scheduleAutosave(after: store.configuration.autosaveDelay, isRetry: false, in: store)
    }
  }

  private func scheduleAutosave(after delay: Duration, isRetry: Bool, in store: Store) {
    Task.detached {
      try? await store.configuration.clock.sleep(for: delay)
      store.queue.async { store.coordinator.autosave(isRetry: isRetry, in: store) }
    }
  }

  private func autosave(isRetry: Bool, in store: Store) {
    state.withLock { state in
      if isRetry { state.isRetryScheduled = false } else { state.isAutosaveScheduled = false }
    }
    // What could not be saved is retried at its own times, unless it was edited, and does not delay the
    // rest.
    let due = unsaved.filter { isRetry || !$0.saves.hasFailed }
    try? save(due, automatically: true, in: store)

    let isFailing = unsaved.contains { $0.saves.hasFailed }
    let failureCount = state.withLock { state -> Int? in
      if !isFailing { state.failureCount = 0 }
      if !isFailing || state.isRetryScheduled { return nil }
      state.isRetryScheduled = true
      state.failureCount += 1
      return state.failureCount
    }
    // A disk that is full or gone is seldom back at once.
    if let failureCount {
      let delay = store.configuration.autosaveDelay * (1 << min(failureCount, 6))
      scheduleAutosave(after: delay, isRetry: true, in: store)
    }
  }

  /// Saves all open documents as the process exits.
  func saveAtExit(in store: Store) {
    // A save in another thread may wait for something that never happens.
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
      try save(unsaved, in: store)
    } catch {
      store.directory.report(error)
    }
  }
}
