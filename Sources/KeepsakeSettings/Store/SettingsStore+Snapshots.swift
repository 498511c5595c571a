import KeepsakeBase

extension SettingsStore {
  /// Returns the values of all settings at this moment, to read several of them consistently or to
  /// compare them with those of another moment.
  ///
  /// - Complexity: O(1). The next change copies the changes since the property list was written.
  public func snapshot() -> SettingsStore.Snapshot { SettingsStore.Snapshot(of: self) }

  /// Returns a sequence of snapshots: the present one, then one after each change of a setting whose
  /// key begins with a prefix.
  ///
  /// ```swift
  /// var last = store.snapshot()
  /// for await settings in store.snapshots(prefix: "editor.") {
  ///   for change in settings.changes(since: last) { upload(change) }
  ///   last = settings
  /// }
  /// ```
  ///
  /// A slow loop skips intermediate snapshots but always receives the latest. A loop ends when its
  /// task is canceled.
  ///
  /// - Parameter prefix: The beginning of the keys; by default all keys count.
  public func snapshots(prefix: String = "") -> some AsyncSequence<SettingsStore.Snapshot, Never>
    & Sendable
  {
    ChangeSequence { [self] in
      SnapshotCursor(store: self, observer: layers.observers.makeObserver(prefix: prefix))
    }
  }
}

/// The position of a loop in the snapshots of a store.
private struct SnapshotCursor: ChangeCursor {
  let store: SettingsStore
  let observer: PrefixObserver
  var seen: UInt64 = 0

  var waiters: Waiters { observer.signal.waiters }
  var hasChanged: Bool { observer.signal.version != seen }

  mutating func next() -> SettingsStore.Snapshot? {
    let version = observer.signal.version
    if version == seen { return nil }
    seen = version
    return store.snapshot()
  }
}
