public import KeepsakeBase

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
  /// The decoded value where it is plain bytes that fit in one word, and the version it is of: for
  /// those who read it without the lock, which it is written under.
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
      return isCurrent ? value : decodeAnew().value
    }
    set { set(newValue) }
  }

  /// The value and the version that it is of, not tracked by Observation.
  var current: Decoded {
    let version = slot.version.load(ordering: .acquiring)
    return decoded.withLock { $0.version == version ? $0 : nil } ?? decodeAnew()
  }

  /// Decodes what is stored now, with no lock held: whoever is told of a fault may read the same.
  @usableFromInline
  func decodeAnew() -> Decoded {
    let (stored, version) = slot.state.withLock { state in
      (state.value, slot.version.load(ordering: .relaxed))
    }
    let new = Decoded(version: version, value: store.decode(stored, of: slot, as: key))
    decoded.withLock { decoded in
      if decoded.version < version {
        decoded = new
        if Self.isWord { publish(new) }
      }
    }
    return new
  }

  /// Whether a value is plain bytes that fit in one word.
  @inlinable
  static var isWord: Bool { _isPOD(Value.self) && MemoryLayout<Value>.size <= 8 }

  /// Gives a value to those who read it without the lock, which is held here.
  private func publish(_ decoded: Decoded) {
    var bits: UInt64 = 0
    withUnsafeMutableBytes(of: &bits) { $0.storeBytes(of: decoded.value, as: Value.self) }
    // No version has this number. Of a reader that sees the new word, the second look at its version
    // sees this at the least.
    wordVersion.store(0, ordering: .relaxed)
    word.store(bits, ordering: .releasing)
    wordVersion.store(decoded.version, ordering: .releasing)
  }

  @inlinable
  func set(_ value: Value) {
    store.setOrReport(value, for: key)
  }
}
