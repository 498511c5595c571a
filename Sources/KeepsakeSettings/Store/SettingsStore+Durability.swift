import KeepsakeBase
package import KeepsakeFiles

extension SettingsStore {
  /// Blocks the thread until all changes so far are durable: they survive a power cut.
  ///
  /// Concurrent calls share one flush of the disk.
  ///
  /// - Throws: ``SettingsError`` if a flush fails; later calls throw too, until the store has
  ///   written all settings again.
  @available(*, noasync, message: "use await synchronize(), which does not block the thread")
  public func synchronizeAndWait() throws(SettingsError) {
    try app.checkNotInTransaction()
    try app.synchronizeNow(upTo: app.currentPosition())
  }

  /// Waits until all changes so far are durable: they survive a power cut.
  ///
  /// Concurrent calls share one flush of the disk.
  ///
  /// - Throws: ``SettingsError`` if a flush fails; later calls throw too, until the store has
  ///   written all settings again.
  public func synchronize() async throws(SettingsError) {
    try await app.synchronize()
  }

  /// Writes the property list now instead of after a second without changes.
  ///
  /// - Throws: ``SettingsError`` if that fails, in which case the journal keeps the changes, or if
  ///   the settings are unavailable.
  /// - Complexity: O(*n* log *n*) in the number of stored settings.
  public func save() throws(SettingsError) {
    try app.save()
  }

  /// Whether the property list, its journals and its lock were permanently removed, by this or
  /// another process.
  package var areFilesRemoved: Bool { app.isRemoved.load(ordering: .acquiring) }

  /// Permanently removes the property list, its journals and its lock.
  ///
  /// Later changes, here or in another process that has the store open, are kept in memory only, and are not shared
  /// with other machines.
  package func removeFiles() throws(FileError) {
    try app.remove()
    sharing.withLock { $0 }?.end()
  }
}
