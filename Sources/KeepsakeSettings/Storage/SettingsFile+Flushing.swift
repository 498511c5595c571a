import Dispatch
import KeepsakeBase
import KeepsakeFiles
import SystemPackage

/// Flushes of the journals, so that changes survive a power cut.
extension SettingsFile {
  /// Returns the position that a flush must reach: the one up to which the journals were read;
  /// `nil` if there are no journals or they cannot be read.
  ///
  /// Other processes' records are read first, or by a flush that has not begun.
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
    /// The position to flush to; `nil` for the end of the journals.
    var target: Position?
    var continuation: CheckedContinuation<Result<Void, SettingsError>, Never>
  }

  /// The tasks that share the next flush.
  struct FlushGroup {
    var tasks: [Waiting] = []
    /// The number of tasks that shared the last flush, and its duration.
    var lastCount = 0
    var lastDuration = Duration.zero
  }

  /// Returns once everything that was written before the call would survive a power cut.
  ///
  /// Tasks that wait together share the next flush.
  func synchronize() async throws(SettingsError) {
    // Changes that are made while this task waits are not part of the request.
    let target = currentPosition()
    let result = await withCheckedContinuation { continuation in
      let (isFirst, isLast) = flushGroup.withLock { group in
        group.tasks.append(Waiting(target: target, continuation: continuation))
        return (group.tasks.count == 1, group.tasks.count == group.lastCount)
      }
      if isFirst { flushing.async { [self] in flushForWaiting() } }
      if isLast { isGroupComplete.signal() }
    }
    try result.get()
  }

  private func flushForWaiting() {
    // Consumes signals of earlier groups. A timeout of `.now()` would sleep briefly; 0 does not.
    let now = DispatchTime(uptimeNanoseconds: 0)
    while isGroupComplete.wait(timeout: now) == .success {}
    // Tasks that waited together usually make their next changes together: if the flush begins
    // slightly later, more of them share it.
    let delay = flushGroup.withLock { group in
      group.tasks.count < group.lastCount ? min(group.lastDuration / 2, .microseconds(200)) : nil
    }
    if let delay {
      let nanoseconds = Int(delay / .nanoseconds(1))
      _ = isGroupComplete.wait(timeout: .now() + .nanoseconds(nanoseconds))
    }
    let waiting = flushGroup.withLock { group in
      defer { group.tasks = [] }
      return group.tasks
    }
    let start = ContinuousClock.now
    let targets = waiting.compactMap(\.target)
    let target = targets.count == waiting.count ? targets.max() : nil
    let result = Result { () throws(SettingsError) in try synchronizeNow(upTo: target) }
    flushGroup.withLock { group in
      group.lastCount = waiting.count
      group.lastDuration = ContinuousClock.now - start
    }
    for task in waiting { task.continuation.resume(returning: result) }
  }

  /// Returns once everything that was written before the call would survive a power cut.
  ///
  /// Callers that wait for another flush to end share the next one.
  ///
  /// - Parameter target: The position to flush to; the end of the journals by default.
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
        // Flushed journals before the current one no longer change.
        let flushedBefore = flushed.epoch == position.epoch ? flushed.generation : 0
        for number in max(first, flushedBefore)..<max(position.generation, first, flushedBefore) {
          do throws(FileError) {
            if let file = unflushed[number] {
              try file.synchronize()
            } else {
              try fileSystem.open(journalPath(number), .read).synchronize()
            }
          } catch {
            // It was deleted because the property list now contains it.
            if error.code != .noSuchFileOrDirectory { throw error }
          }
        }
        try retryingInterrupts { () throws(FileError) in try file.synchronize() }
        if flushedName.load(ordering: .relaxed) < position.generation {
          try fileSystem.synchronizeDirectory(directory)
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
        // After a failed flush, the data is only durable once it is written to other files.
        try checkpointOrThrow(timeout: .seconds(5), &names)
        if let failure = writer.withLock({ $0.failedFlush }) {
          throw SettingsError(
            .notDurable,
            "the disk cannot be flushed", effect: "recent changes may not survive a power cut",
            file: path, cause: failure)
        }
      }
    }
  }
}
