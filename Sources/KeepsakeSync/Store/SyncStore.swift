package import KeepsakeSettings

/// Values that are kept in agreement with an engine.
package protocol SyncStore {
  /// The log as it is now.
  var log: SyncLog { get }

  /// Changes the log and values in one step, which nothing comes between.
  ///
  /// - Parameter decide: Returns what is to be changed; it may be called several times.
  func receive(_ decide: (SyncView) -> Received?) throws
}

/// A store whose values are on a disk.
package protocol DurableSyncStore: SyncStore, Sendable {
  /// What is in the store now, and may not be on disk yet.
  var view: SyncView { get }

  /// Waits until everything that was changed so far is on disk, and returns it.
  func durableView() async throws -> SyncView
}

/// What a store is to take from an engine.
package struct Received {
  package var update = SyncLog.Update()
  /// The new values; nil for those to remove.
  package var writes: [SettingsName: [UInt8]?] = [:]
  /// Whether values that are replaced or removed are kept elsewhere, as those are whose offers are withdrawn.
  package var preserves = false

  package init() {}
}
