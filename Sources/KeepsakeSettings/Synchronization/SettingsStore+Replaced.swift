import KeepsakeBase
import KeepsakeFiles

extension SettingsStore {
  /// Opens the files that are at the store's path now, if the journal that is open is not the one there: as where
  /// another directory was put in the place of theirs.
  ///
  /// Nothing of the old files is added to the new ones, as is done for settings when they are changed next.
  ///
  /// - Returns: Whether others were opened; false also if that was done before.
  /// - Throws: ``SettingsError`` if they cannot be read; then the old ones stay open.
  package func reopenIfReplaced() throws(SettingsError) -> Bool { try app.reopenIfReplaced() }
}

extension SettingsFile {
  fileprivate func reopenIfReplaced() throws(SettingsError) -> Bool {
    try checkNotInTransaction()
    var names: [SettingsName] = []
    defer { notify(names) }
    do throws(FileError) {
      return try writer.withLock { (writer) throws(FileError) in
        guard try isDetached(&writer, &names) else { return false }
        try loadAgain(&writer, &names)
        // Without a watch, external changes are read with the next change.
        if isAutomatic { do throws(FileError) { try watchDirectory(&writer) } catch {} }
        return true
      }
    } catch {
      throw SettingsError(
        .unavailable, "other files are in place of the settings, and cannot be read",
        effect: "the values read before are used", file: path, cause: error)
    }
  }
}
