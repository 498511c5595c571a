public import KeepsakeBase

/// A setting that caches its decoded value, so that it is decoded once for each change.
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
  /// The decoded value, if it is plain bytes that fit in one word, and its version; read without
  /// the lock, written with it.
  @usableFromInline let word = Atomic<UInt64>(0)
  @usableFromInline let wordVersion = Atomic<UInt64>(0)

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
      if Self.isWord, wordVersion.load(ordering: .acquiring) == version {
        let word = word.load(ordering: .acquiring)
        if wordVersion.load(ordering: .relaxed) == version {
          return withUnsafeBytes(of: word) { $0.load(as: Value.self) }
        }
      }
      let (value, isCurrent) = decoded.withLock { ($0.value, $0.version == version) }
      return isCurrent ? value : decodeAgain().value
    }
    set { set(newValue) }
  }

  /// The value and its version, not tracked by Observation.
  var current: Decoded {
    let version = slot.version.load(ordering: .acquiring)
    return decoded.withLock { $0.version == version ? $0 : nil } ?? decodeAgain()
  }

  /// Decodes the stored value with no lock held: the handler of an error may read the same setting.
  @usableFromInline
  func decodeAgain() -> Decoded {
    let (stored, layer, version) = slot.state.withLock { state in
      (state.value, state.layer, slot.version.load(ordering: .relaxed))
    }
    let value = store.decode(stored, from: layer, of: slot, as: key)
    let new = Decoded(version: version, value: value)
    decoded.withLock { decoded in
      if decoded.version < version {
        decoded = new
        if Self.isWord { publish(new) }
      }
    }
    return new
  }

  /// Whether values are plain bytes that fit in one word.
  @inlinable
  static var isWord: Bool { _isPOD(Value.self) && MemoryLayout<Value>.size <= 8 }

  /// Publishes a value to lock-free readers; called with the lock held.
  private func publish(_ decoded: Decoded) {
    var bits: UInt64 = 0
    withUnsafeMutableBytes(of: &bits) { $0.storeBytes(of: decoded.value, as: Value.self) }
    // No version is 0. A reader that sees the new word sees at least this 0 when it checks the
    // version again.
    wordVersion.store(0, ordering: .relaxed)
    word.store(bits, ordering: .releasing)
    wordVersion.store(decoded.version, ordering: .releasing)
  }

  @inlinable
  func set(_ value: Value) {
    store.setOrReport(value, for: key)
  }
}
