import Dispatch
import KeepsakeBase
import KeepsakeFiles
import SystemPackage

/// When the disk is flushed and the property list written.
extension SettingsFile {
  /// Schedules a tick; later each time that the last one failed, for a disk that is full or gone is
  /// seldom back at once.
  func scheduleTick(_ writer: inout Writer) {
    if !isAutomatic || writer.isTickDue || writer.isClosed || writer.journal == nil { return }
    writer.isTickDue = true
    let delay = min(400 << writer.failedTicks, 60_000)
    // Until it is closed its watches keep it alive; a closed one keeps no file open for a tick to come.
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .milliseconds(delay)) {
      [weak self] in self?.tick()
    }
  }

  /// Makes what was written safe against a power cut, and writes the property list when no change
  /// came since the tick before, or when the journal has grown too long.
  private func tick() {
    var names: [SettingsName] = []
    let isDue = writer.withLock { writer -> Bool? in
      writer.isTickDue = false
      if writer.isClosed { return nil }
      // Without a watch, others' changes are read here.
      do throws(FileError) { try catchUp(&writer, &names) } catch {}
      guard let end = writer.journal?.end else { return false }
      // An editor that writes the property list in place is left to finish.
      let stamp = (try? fileSystem.information(at: path)) ?? nil
      let isStill = stamp == writer.tickedStamp
      let isQuiet = isStill && writer.position == writer.tickedPosition
      writer.quietTicks = isQuiet ? writer.quietTicks + 1 : 0
      writer.tickedPosition = writer.position
      writer.tickedStamp = stamp
      let size = writer.stamp?.size ?? 0
      // A large file is written less often: a second for each megabyte.
      return writer.quietTicks > size >> 19
        || isStill && (writer.isPropertyListLost || end > max(1 << 18, size))
    }
    defer { notify(names) }
    guard let isDue else { return }
    var failure: SettingsError?
    do throws(SettingsError) {
      if isDue {
        try checkpointOrThrow(timeout: .zero, &names)
      } else {
        try synchronizeNow(upTo: currentPosition())
      }
    } catch {
      // Another process writes the property list.
      if (error.cause as? FileError)?.code != .resourceBusy { failure = error }
    }
    let isFirst = writer.withLock { writer -> Bool in
      writer.failedTicks = failure == nil ? 0 : min(writer.failedTicks + 1, 8)
      if !isSaved(&writer) { scheduleTick(&writer) }
      return writer.failedTicks == 1
    }
    if let failure, isFirst { report(failure) }
  }

  /// How far the journals were read, by which a flush is asked for; `nil` where there are none, or they
  /// cannot be read.
  ///
  /// What others appended is read first, or by a flush that is still to begin.
  func currentPosition() -> Position? {
    var names: [SettingsName] = []
    defer { notify(names) }
    return writer.withLock { writer in
      if writer.flushing >= writer.position {
        do throws(FileError) { try catchUp(&writer, &names) } catch { return nil }
      }
      return writer.journal == nil ? nil : writer.position
    }
  }

  /// A task that waits for a flush.
  struct Waiting {
    /// How far it must be safe; `nil` for all that can be read.
    var target: Position?
    var continuation: CheckedContinuation<Result<Void, SettingsError>, Never>
  }

  /// Returns once everything that was written before the call would survive a power cut.
  ///
  /// Tasks that wait together share the next flush.
  func synchronize() async throws(SettingsError) {
    // What is set while this waits for its turn is no part of it.
    let target = currentPosition()
    let result = await withCheckedContinuation { continuation in
      let isFirst = waiting.withLock { waiting in
        waiting.append(Waiting(target: target, continuation: continuation))
        return waiting.count == 1
      }
      if isFirst { flushing.async { [self] in flushForWaiting() } }
    }
    try result.get()
  }

  private func flushForWaiting() {
    // Those who waited together set again together: more of them share a flush that begins a little
    // later.
    let (group, duration) = lastFlush.withLock { $0 }
    let deadline = ContinuousClock.now + min(duration / 2, .microseconds(200))
    while waiting.withLock({ $0.count }) < group, ContinuousClock.now < deadline { sched_yield() }
    let waiting = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    let start = ContinuousClock.now
    defer { lastFlush.withLock { $0 = (waiting.count, ContinuousClock.now - start) } }
    let targets = waiting.compactMap(\.target)
    let target = targets.count == waiting.count ? targets.max() : nil
    let result = Result { () throws(SettingsError) in try synchronizeNow(upTo: target) }
    for task in waiting { task.continuation.resume(returning: result) }
  }

  /// Returns once everything that was written before the call would survive a power cut.
  ///
  /// Callers who wait for one another's flush share the next.
  ///
  /// - Parameter target: How far it must be safe; all that can be read now by default.
  func synchronizeNow(upTo target: Position? = nil) throws(SettingsError) {
    if let unavailability { throw unavailability }
    var names: [SettingsName] = []
    defer { notify(names) }
    try flushed.withLock { (flushed) throws(SettingsError) in
      do throws(FileError) {
        let isKnownSafe = writer.withLock { $0.failedFlush == nil }
        if let target, isKnownSafe, flushed >= target { return }
        let state = try writer.withLock {
          (writer) throws(FileError) -> (
            any OpenFile, unflushed: [UInt64: any OpenFile], Position, first: UInt64
          )? in
          if let failure = writer.failedFlush { throw failure }
          try catchUp(&writer, &names)
          guard let file = writer.journal?.file else { return nil }
          if writer.isDirectoryGone {
            throw FileError(.synchronize, directory, .noSuchFileOrDirectory)
          }
          writer.flushing = writer.position
          return (file, writer.unflushed, writer.position, writer.propertyListJournal)
        }
        guard let (file, unflushed, position, first) = state else { return }
        // What was flushed once does not change any more.
        let flushedBefore = flushed.epoch == position.epoch ? flushed.generation : 0
        for number in max(first, flushedBefore)..<max(position.generation, first, flushedBefore) {
          do throws(FileError) {
            if let file = unflushed[number] {
              try file.synchronize()
            } else {
              try fileSystem.open(journalPath(number), .read).synchronize()
            }
          } catch {
            // The property list contains it by now.
            if error.code != .noSuchFileOrDirectory { throw error }
          }
        }
        try retryingInterrupts { () throws(FileError) in try file.synchronize() }
        if flushedName.load(ordering: .relaxed) < position.generation {
          try fileSystem.synchronizeFolder(directory)
          flushedName.store(position.generation, ordering: .relaxed)
        }
        flushed = position
        writer.withLock { writer in
          writer.unflushed = writer.unflushed.filter { $0.key >= position.generation }
        }
      } catch {
        writer.withLock { writer in
          writer.failedFlush = writer.failedFlush ?? error
          writer.unflushed = [:]
        }
        // Everything is written again, to other files; only then is it safe.
        try checkpointOrThrow(timeout: .seconds(5), &names)
        if let failure = writer.withLock({ $0.failedFlush }) {
          throw SettingsError(
            .notDurable,
            "the disk refused a flush; what was written lately may not survive a power cut",
            file: path, cause: failure)
        }
      }
    }
  }
}
