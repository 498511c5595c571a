import KeepsakeBase

extension SettingsStore {
  /// The values of a setting from now on, the present one first.
  ///
  /// A slow loop skips values, but always comes to the latest; a value is given when its own key
  /// changes, and no other. A loop ends once its task is canceled.
  public func values<Value>(
    of key: SettingsKey<Value>
  ) -> some AsyncSequence<Value, Never> & Sendable {
    ChangeSequence { SettingsCursor(cell: SettingsCell(key: key, store: self)) }
  }
}

/// The position of a loop among the values of a setting.
private struct SettingsCursor<Value: Sendable>: ChangeCursor {
  let cell: SettingsCell<Value>
  var seen: UInt64 = 0

  var waiters: Waiters { cell.slot.waiters }
  var hasChanged: Bool { cell.slot.hasChanged(since: seen) }

  mutating func next() -> Value? {
    let current = cell.current
    if current.version == seen { return nil }
    seen = current.version
    return current.value
  }
}
