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
      let (value, isCurrent) = decoded.withLock { ($0.value, $0.version == version) }
      return isCurrent ? value : decodeAnew().value
    }
    set { set(newValue) }
  }

  /// The value and the version that it is of.
  var current: Decoded {
    slot.access()
    let version = slot.version.load(ordering: .acquiring)
    return decoded.withLock { $0.version == version ? $0 : nil } ?? decodeAnew()
  }

  /// Decodes what is stored now, with no lock held: whoever is told of a fault may read the same.
  @usableFromInline
  func decodeAnew() -> Decoded {
    let (stored, version) = slot.state.withLock { state in
      (state.value, slot.version.load(ordering: .acquiring))
    }
    let new = Decoded(version: version, value: store.decode(stored, of: slot, as: key))
    decoded.withLock { decoded in
      if decoded.version < version { decoded = new }
    }
    return new
  }

  @inlinable
  func set(_ value: Value) {
    store.setOrReport(value, for: key, slot: slot)
  }
}
