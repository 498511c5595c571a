import Dispatch
import KeepsakeBase
import KeepsakeFiles
import SystemPackage

/// How the journals are made safe against a power cut.
extension SettingsFile {
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

  /// The tasks that share the next flush.
  struct FlushGroup {
    var tasks: [Waiting] = []
    /// How many shared the last flush, and how long that took.
    var lastCount = 0
    var lastDuration = Duration.zero
  }

  /// Returns once everything that was written before the call would survive a power cut.
  ///
  /// Tasks that wait together share the next flush.
  func synchronize() async throws(SettingsError) {
    // What is set while this waits for its turn is no part of it.
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
    // Signals of groups that were waited for no longer. A time that has passed would sleep a moment.
    let now = DispatchTime(uptimeNanoseconds: 0)
    while isGroupComplete.wait(timeout: now) == .success {}
    // Those who waited together set again together: more of them share a flush that begins a little
    // later.
    let patience = flushGroup.withLock { group in
      group.tasks.count < group.lastCount ? min(group.lastDuration / 2, .microseconds(200)) : nil
    }
    if let patience {
      let nanoseconds = Int(patience / .nanoseconds(1))
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
