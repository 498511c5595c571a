import KeepsakeBase

/// The slots of a store by name: found without a lock, added under one, never removed.
///
/// Slots and all bucket arrays live as long as the table: a reader may still use an array that a
/// larger one has replaced. Each array is twice as large as the one before, so all of them together
/// take at most twice the memory of the last.
final class SlotTable: Sendable {
  /// Owns everything that the buckets and the atomic pointer reference.
  private struct Owned {
    var slots: [SettingsSlot] = []
    var buckets: [SlotBuckets]
  }

  private let owned: Mutex<Owned>
  private let buckets: Atomic<Unmanaged<SlotBuckets>>

  init() {
    let first = SlotBuckets(count: 16)
    buckets = Atomic(.passUnretained(first))
    owned = Mutex(Owned(buckets: [first]))
  }

  /// Calls a closure with the slot of a name; the closure must not keep it longer than the table
  /// lives.
  ///
  /// - Returns: The closure's result; `nil` if there is no such slot.
  @inline(__always)
  func withSlot<Result>(named name: SettingsName, _ body: (SettingsSlot) -> Result) -> Result? {
    // Not retained: a retain would cost more than the lookup.
    let slot = buckets.load(ordering: .acquiring)._withUnsafeGuaranteedRef { $0.slot(named: name) }
    return slot?._withUnsafeGuaranteedRef(body)
  }

  /// The slot of a name, if there is one.
  subscript(name: SettingsName) -> SettingsSlot? { withSlot(named: name) { $0 } }

  /// The slot of a name, created if there is none.
  func slot(named name: SettingsName, make: () -> SettingsSlot) -> SettingsSlot {
    owned.withLock { owned in
      if let slot = self[name] { return slot }
      let slot = make()
      owned.slots.append(slot)
      let current = owned.buckets[owned.buckets.count - 1]
      if owned.slots.count * 2 <= current.count {
        current.insert(slot)
      } else {
        let larger = SlotBuckets(count: current.count * 2)
        for slot in owned.slots { larger.insert(slot) }
        owned.buckets.append(larger)
        buckets.store(.passUnretained(larger), ordering: .releasing)
      }
      return slot
    }
  }
}

/// A hash table of slots with linear probing; at most half of the buckets are in use.
private final class SlotBuckets: Sendable {
  typealias Bucket = Atomic<Unmanaged<SettingsSlot>?>

  /// A power of two.
  let count: Int
  // Safe to share: the address never changes, the memory lives as long as the object, and every
  // element is atomic.
  private nonisolated(unsafe) let buckets: UnsafeMutablePointer<Bucket>

  init(count: Int) {
    self.count = count
    buckets = .allocate(capacity: count)
    for index in 0..<count { (buckets + index).initialize(to: Bucket(nil)) }
  }

  deinit {
    buckets.deinitialize(count: count)
    buckets.deallocate()
  }

  @inline(__always)
  func slot(named name: SettingsName) -> Unmanaged<SettingsSlot>? {
    var index = firstBucket(of: name)
    while let slot = buckets[index].load(ordering: .acquiring) {
      if slot._withUnsafeGuaranteedRef({ $0.name == name }) { return slot }
      index = (index + 1) & (count - 1)
    }
    return nil
  }

  /// Adds a slot whose name has none; called by one thread at a time.
  func insert(_ slot: SettingsSlot) {
    var index = firstBucket(of: slot.name)
    while buckets[index].load(ordering: .relaxed) != nil { index = (index + 1) & (count - 1) }
    buckets[index].store(.passUnretained(slot), ordering: .releasing)
  }

  @inline(__always)
  private func firstBucket(of name: SettingsName) -> Int {
    Int(truncatingIfNeeded: name.hash >> 1) & (count - 1)
  }
}
