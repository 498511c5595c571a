import Dispatch
import KeepsakeBase
import KeepsakeFiles
import SystemPackage

/// Automatic flushes and checkpoints.
extension SettingsFile {
  /// Schedules a tick. Each failure doubles the delay, because a full or missing disk rarely
  /// recovers immediately.
  func scheduleTick(_ writer: inout Writer) {
    if !isAutomatic || writer.isTickDue || writer.isClosed || writer.journal == nil { return }
    writer.isTickDue = true
    let delay = min(400 << writer.failedTicks, 60_000)
    // Watches retain an open file; a tick must not retain a closed one.
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .milliseconds(delay)) {
      [weak self] in self?.tick()
    }
  }

  /// Flushes the journals to the disk, or writes the property list if nothing changed since the
  /// last tick or the journal is too long.
  private func tick() {
    var names: [SettingsName] = []
    let isDue = writer.withLock { writer -> Bool? in
      writer.isTickDue = false
      if writer.isClosed { return nil }
      // Without a watch, external changes are read here.
      do throws(FileError) { try catchUp(&writer, &names) } catch {}
      guard let end = writer.journal?.end else { return false }
      // An editor that writes the property list in place must be able to finish.
      let stamp = (try? fileSystem.information(at: path)) ?? nil
      let isUnchanged = stamp == writer.tickedStamp
      let isQuiet = isUnchanged && writer.position == writer.tickedPosition
      writer.quietTicks = isQuiet ? writer.quietTicks + 1 : 0
      writer.tickedPosition = writer.position
      writer.tickedStamp = stamp
      let size = writer.stamp?.size ?? 0
      // A large file is written less often: one more second for each megabyte.
      return writer.quietTicks > size >> 19
        || isUnchanged && (writer.isPropertyListLost || end > max(1 << 18, size))
    }
    // Before the disk is flushed, which may take long.
    notify(names)
    names = []
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
      // If the lock is busy, another process writes the property list.
      if (error.cause as? FileError)?.code != .resourceBusy { failure = error }
    }
    let isFirst = writer.withLock { writer -> Bool in
      writer.failedTicks = failure == nil ? 0 : min(writer.failedTicks + 1, 8)
      if !isSaved(&writer) { scheduleTick(&writer) }
      return writer.failedTicks == 1
    }
    if let failure, isFirst { report(failure) }
  }
}
