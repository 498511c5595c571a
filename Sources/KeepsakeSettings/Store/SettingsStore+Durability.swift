import KeepsakeBase
package import KeepsakeFiles

extension SettingsStore {
  /// Returns once every change so far would survive a power cut, and blocks the thread until then.
  ///
  /// Threads that call this together share one flush of the disk.
  ///
  /// - Throws: ``SettingsError`` where the disk refuses; the store then writes everything anew before
  ///   it says again that it is safe.
  @available(*, noasync, message: "await synchronize(), which blocks no thread of yours")
  public func synchronizeAndWait() throws(SettingsError) {
    try app.checkNotInTransaction()
    try app.synchronizeNow(upTo: app.currentPosition())
  }

  /// Returns once every change so far would survive a power cut.
  ///
  /// Tasks that call this together share one flush of the disk.
  ///
  /// - Throws: ``SettingsError`` where the disk refuses; the store then writes everything anew before
  ///   it says again that it is safe.
  public func synchronize() async throws(SettingsError) {
    try await app.synchronize()
  }

  /// Writes the property list now, as it otherwise is when no change has come for a second.
  ///
  /// - Throws: ``SettingsError`` where that fails, and the journal keeps the changes; or where the
  ///   settings are unavailable.
  /// - Complexity: O(*n* log *n*) in the settings stored.
  public func save() throws(SettingsError) {
    try app.save()
  }

  /// Whether the property list and what lies beside it were removed for good, here or by another
  /// process.
  package var areFilesRemoved: Bool { app.isRemoved.load(ordering: .acquiring) }

  /// Removes the property list and what lies beside it, for good.
  ///
  /// What is set from then on, here or by another who has them open, lives as long as the store.
  package func removeFiles() throws(FileError) {
    try app.remove()
  }
}
