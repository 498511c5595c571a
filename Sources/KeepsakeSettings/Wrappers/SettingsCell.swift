public import Synchronization

/// One setting as one place in a program reads it: decoded once for each change.
@usableFromInline
final class SettingsCell<Value: Sendable>: Sendable {
  @usableFromInline
  struct Decoded: Sendable {
    @usableFromInline var version: UInt64
    @usableFromInline var value: Value
  }

  @usableFromInline let key: SettingsKey<Value>
  @usableFromInline let store: SettingsStore
  @usableFromInline let slot: SettingsSlot
  @usableFromInline let decoded: Mutex<Decoded>

  init(key: SettingsKey<Value>, store: SettingsStore) {
    self.key = key
    self.store = store
    slot = store.layers.slot(named: key.id)
    decoded = Mutex(Decoded(version: 0, value: key.defaultValue))
  }

  @inlinable
  var value: Value {
    get {
      slot.access()
      let version = slot.version.load(ordering: .acquiring)
      return decoded.withLock { decoded in
        if decoded.version != version { decode(&decoded) }
        return decoded.value
      }
    }
    set { set(newValue) }
  }

  @usableFromInline
  func decode(_ decoded: inout Decoded) {
    // The version that the value is of, which may be later than the one that was asked for.
    let (stored, version) = slot.state.withLock { state in
      (state.value, slot.version.load(ordering: .acquiring))
    }
    decoded = Decoded(version: version, value: store.decode(stored, of: slot, as: key))
  }

  /// The value and the version that it is of.
  var current: Decoded {
    slot.access()
    return decoded.withLock { decoded in
      if decoded.version != slot.version.load(ordering: .acquiring) { decode(&decoded) }
      return decoded
    }
  }

  @inlinable
  func set(_ value: Value) {
    store.setOrReport(value, for: key, slot: slot)
  }
}
