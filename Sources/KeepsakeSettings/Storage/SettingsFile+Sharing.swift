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
    update.doubt = writer.damaged == nil ? writer.doubt : .damaged
    try set([], received: update, &writer, &names)
  }
}
