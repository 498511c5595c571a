import KeepsakeBase
import KeepsakeFiles

extension SettingsStore {
  /// Opens the files that are at the store's path now, if the journal that is open is not the one there: as where
  /// another directory was put in the place of theirs, which is otherwise found soon.
  ///
  /// - Throws: ``SettingsError`` if they cannot be read; then the old ones stay open.
  package func reopenIfReplaced() throws(SettingsError) { try app.reopenIfReplaced() }
}

extension SettingsFile {
  fileprivate func reopenIfReplaced() throws(SettingsError) {
    try checkNotInTransaction()
    var names: [SettingsName] = []
    defer { notify(names) }
    do throws(FileError) {
      try writer.withLock { (writer) throws(FileError) in
        try catchUp(&writer, &names)
        if try isDetached(&writer, &names) { try rescue(&writer, &names) }
      }
    } catch {
      throw SettingsError(
        .unavailable, "other files are in place of the settings, and cannot be read",
        effect: "the values read before are used", file: path, cause: error)
    }
  }
}
