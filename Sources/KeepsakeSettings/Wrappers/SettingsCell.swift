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
        if decoded.version != version { decode(&decoded, version: version) }
        return decoded.value
      }
    }
    set { set(newValue) }
  }

  @usableFromInline
  func decode(_ decoded: inout Decoded, version: UInt64) {
    decoded = Decoded(version: version, value: store.decode(slot, as: key))
  }

  @inlinable
  func set(_ value: Value) {
    store.setOrReport(value, for: key, slot: slot)
  }
}
