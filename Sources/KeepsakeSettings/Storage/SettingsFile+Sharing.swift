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
    update.doubt = writer.doubt
    try set([], received: update, &writer, &names)
    writer.doubt = nil
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
    guard let doubt = writer.doubt, contents.withLock({ $0.log != nil }) else { return }
    var update = SyncLog.Update()
    update.doubt = doubt
    try set([], received: update, &writer, &names)
    writer.doubt = nil
  }
}
