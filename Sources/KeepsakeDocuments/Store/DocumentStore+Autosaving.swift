import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension DocumentStore {
  /// Asks for a live document to be saved soon, with all others that are unsaved by then.
  func scheduleAutosave(of live: LiveDocument<Document>) {
    let isFirst = lives.withLock { lives in
      defer { lives.unsaved[live.id] = live }
      return lives.unsaved.isEmpty
    }
    if isFirst { UnsavedDocuments.saveAtExit(self) }
    scheduleAutosave()
  }

  private func scheduleAutosave() {
    let failures = lives.withLock { lives -> Int? in
      if lives.isAutosaveDue || lives.unsaved.isEmpty { return nil }
      lives.isAutosaveDue = true
      return lives.failures
    }
    guard let failures else { return }
    // A disk that is full or gone is seldom back at once.
    let delay = configuration.autosaveDelay * (1 << min(failures, 6))
    Task.detached { [self] in
      try? await configuration.clock.sleep(for: delay)
      queue.async { self.autosave() }
    }
  }

  private func autosave() {
    lives.withLock { $0.isAutosaveDue = false }
    do throws(DocumentError) {
      try save(lives: unsaved, automatically: true)
      lives.withLock { $0.failures = 0 }
    } catch {
      let isFirst = lives.withLock { lives in
        defer { lives.failures += 1 }
        return lives.failures == 0
      }
      // A conflict is told of by the document that has it.
      if isFirst && error.code != .conflict { folder.report(error) }
    }
    // Those that wait for a person's decision need no more autosaves.
    let isMore = unsaved.contains { live in live.state.withLock { $0.conflict == nil } }
    if isMore { scheduleAutosave() }
  }
}

extension DocumentStore: UnsavedDocuments.Owner {
  func saveAtExit() {
    // A save that is under way may be waiting for something that never comes.
    for _ in 0..<1000 {
      if saving.withLockIfAvailable({ _ in true }) == true { break }
      usleep(1000)
    }
    guard saving.withLockIfAvailable({ _ in true }) == true else { return }
    do throws(DocumentError) { try saveAll() } catch { folder.report(error) }
  }
}
