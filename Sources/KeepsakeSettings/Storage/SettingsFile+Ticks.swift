import Dispatch
import KeepsakeBase
import KeepsakeFiles
import SystemPackage

/// When the disk is flushed and the property list written without being asked.
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
}
