import KeepsakeCoding
import Synchronization

/// One setting as one place in a program reads it: decoded once for each change.
final class SettingsCell<Value: Sendable>: Sendable {
  private struct Decoded {
    var version: UInt64
    var value: Value
  }

  let key: SettingsKey<Value>
  let store: SettingsStore
  let slot: SettingsSlot
  private let decoded: Mutex<Decoded>

  init(key: SettingsKey<Value>, store: SettingsStore) {
    self.key = key
    self.store = store
    slot = store.slot(named: key.name)
    decoded = Mutex(Decoded(version: 0, value: key.defaultValue))
  }

  var value: Value {
    get {
      slot.access()
      let version = slot.version.load(ordering: .acquiring)
      return decoded.withLock { decoded in
        if decoded.version != version {
          decoded = Decoded(version: version, value: store.decode(slot, as: key))
        }
        return decoded.value
      }
    }
    set { store.setOrReport(newValue, for: key, slot: slot) }
  }
}
