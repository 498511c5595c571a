import Dispatch
import KeepsakeBase
import KeepsakeFiles

extension SettingsFile {
  /// Asks for a look at the journal soon; later each time that the last look failed, for a disk that
  /// is full or gone is seldom back at once.
  func scheduleTick(_ writer: inout Writer) {
    if !isAutomatic || writer.isTickDue || writer.isClosed || writer.journal == nil { return }
    writer.isTickDue = true
    let delay = min(400 << writer.failedTicks, 60_000)
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .milliseconds(delay)) {
      [self] in tick()
    }
  }

  /// Makes what was written safe against a power cut, and writes the property list when no change
  /// came since the tick before, or when the journal has grown too long.
  private func tick() {
    let isQuiet = writer.withLock { writer -> Bool in
      writer.isTickDue = false
      guard let sequence = writer.journal?.sequence, let end = writer.journal?.end else {
        return false
      }
      // Whoever edits the property list in place is left to finish.
      let stamp = (try? fileSystem.information(at: path)) ?? nil
      let isStill = stamp == writer.tickedStamp
      let isQuiet = isStill && sequence == writer.tickedSequence
      writer.quietTicks = isQuiet ? writer.quietTicks + 1 : 0
      writer.tickedSequence = sequence
      writer.tickedStamp = stamp
      let size = writer.stamp?.size ?? 0
      // A large file is written less often: a second for each megabyte.
      return writer.quietTicks > size >> 19
        || isStill && (writer.isBaseLost || end > max(1 << 18, size))
    }
    var failure: SettingsError?
    do throws(SettingsError) {
      if isQuiet { try checkpoint() } else { try synchronizeNow(upTo: lastRecord) }
    } catch {
      failure = error
    }
    let isFirst = writer.withLock { writer -> Bool in
      writer.failedTicks = failure == nil ? 0 : min(writer.failedTicks + 1, 8)
      if writer.isBaseLost || !contents.withLock({ $0.changes.isEmpty }) { scheduleTick(&writer) }
      return writer.failedTicks == 1
    }
    if let failure, isFirst { report(failure) }
  }

  /// The number of the last record, by which a flush is asked for; `nil` where there is no journal.
  var lastRecord: UInt64? { writer.withLock { $0.journal?.sequence } }

  /// Returns once everything up to a record would survive a power cut.
  ///
  /// Callers who wait for one another's flush share the next.
  func synchronizeNow(upTo target: UInt64?) throws(SettingsError) {
    guard let target else {
      if let unavailability { throw unavailability }
      return
    }
    try flushed.withLock { (flushed) throws(SettingsError) in
      let (file, sequence, poison) = writer.withLock {
        ($0.journal?.file, $0.journal?.sequence ?? 0, $0.poison)
      }
      if poison == nil, flushed.file === file, flushed.sequence >= target { return }
      do throws(FileError) {
        if let poison { throw poison }
        try file?.synchronize()
        flushed = (file, sequence)
      } catch {
        writer.withLock { $0.poison = error }
        // Everything is written anew, to other files; only then is it safe.
        try checkpoint()
      }
    }
  }
}
