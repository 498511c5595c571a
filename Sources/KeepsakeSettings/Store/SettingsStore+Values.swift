import KeepsakeBase

extension SettingsStore {
  /// Returns a sequence of a setting's values: the current one, then each later one.
  ///
  /// A slow loop skips intermediate values but always receives the latest. Changes of other keys
  /// produce no values. A loop ends when its task is canceled.
  public func values<Value>(
    of key: SettingsKey<Value>
  ) -> some AsyncSequence<Value, Never> & Sendable {
    ChangeSequence { SettingsCursor(cell: SettingsCell(key: key, store: self)) }
  }
}

/// The position of a loop in the values of a setting.
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
