import KeepsakeCoding
import KeepsakeFiles

/// Values that other machines share.
extension SettingsFile {
  /// Has the changes that follow be those of a new origin, if other machines share the values.
  func beginOrigin(
    _ writer: inout Writer, _ names: inout [SettingsName]
  ) throws(FileError) {
    if contents.withLock({ $0.log == nil }) { return }
    var update = SyncLog.Update()
    update.origin = SyncLog.newOrigin()
    try noteDoubt(in: update, &writer, &names)
  }

  /// Begins an origin if that of changes that follow is unknown, since a journal is missing.
  func beginUnknownOrigin(
    _ writer: inout Writer, _ names: inout [SettingsName]
  ) throws(FileError) {
    if contents.withLock({ !$0.isOriginKnown }) { try beginOrigin(&writer, &names) }
  }

  /// Notes in the log, if other machines share the values, that some of them may not be what it says.
  func noteDoubt(
    _ writer: inout Writer, _ names: inout [SettingsName]
  ) throws(FileError) {
    try beginUnknownOrigin(&writer, &names)
    if writer.doubt == nil || contents.withLock({ $0.log == nil }) { return }
    try noteDoubt(in: SyncLog.Update(), &writer, &names)
  }

  private func noteDoubt(
    in update: SyncLog.Update, _ writer: inout Writer, _ names: inout [SettingsName]
  ) throws(FileError) {
    var update = update
    update.doubt = writer.doubt
    // Something else may be found while it is appended.
    writer.doubt = nil
    do throws(FileError) {
      try set([], received: update, &writer, &names)
    } catch {
      writer.doubt.add(update.doubt)
      throw error
    }
  }
}
