import KeepsakeBase

/// The slots of a store by name: found without a lock, added under one, never removed.
///
/// A slot lives as long as the table, and so do the places that it was ever found in: a reader may
/// still look at those that a larger set of them has followed. Each is twice as large as the one
/// before, so that all of them together take no more than twice what the last one does.
final class SlotTable: Sendable {
  /// All that the places point at without owning it.
  private struct Owned {
    var slots: [SettingsSlot] = []
    var places: [SlotPlaces]
  }

  private let owned: Mutex<Owned>
  private let places: Atomic<Unmanaged<SlotPlaces>>

  init() {
    let first = SlotPlaces(count: 16)
    places = Atomic(.passUnretained(first))
    owned = Mutex(Owned(places: [first]))
  }

  /// Gives the slot of a name to a closure, which must not keep it for longer than the table lives.
  ///
  /// - Returns: What the closure returns; `nil` where there is no such slot.
  @inline(__always)
  func withSlot<Result>(named name: SettingsName, _ body: (SettingsSlot) -> Result) -> Result? {
    // Not retained: that would cost more than finding it does.
    let slot = places.load(ordering: .acquiring)._withUnsafeGuaranteedRef { $0.slot(named: name) }
    return slot?._withUnsafeGuaranteedRef(body)
  }

  /// The slot of a name, where there is one.
  subscript(name: SettingsName) -> SettingsSlot? { withSlot(named: name) { $0 } }

  /// The slot of a name, made where there is none.
  func slot(named name: SettingsName, make: () -> SettingsSlot) -> SettingsSlot {
    if let slot = self[name] { return slot }
    return owned.withLock { owned in
      if let slot = self[name] { return slot }
      let slot = make()
      owned.slots.append(slot)
      let current = owned.places[owned.places.count - 1]
      if owned.slots.count * 2 <= current.count {
        current.insert(slot)
      } else {
        let larger = SlotPlaces(count: current.count * 2)
        for slot in owned.slots { larger.insert(slot) }
        owned.places.append(larger)
        places.store(.passUnretained(larger), ordering: .releasing)
      }
      return slot
    }
  }
}

/// Places that slots are looked for in, from where the name's hash points to; at most half are taken.
private final class SlotPlaces: Sendable {
  typealias Place = Atomic<Unmanaged<SettingsSlot>?>

  /// A power of two.
  let count: Int
  // Safe to share: the address never changes, the memory lives as long as the object, and all that
  // is in it is atomic.
  private nonisolated(unsafe) let places: UnsafeMutablePointer<Place>

  init(count: Int) {
    self.count = count
    places = .allocate(capacity: count)
    for index in 0..<count { (places + index).initialize(to: Place(nil)) }
  }

  deinit {
    places.deinitialize(count: count)
    places.deallocate()
  }

  @inline(__always)
  func slot(named name: SettingsName) -> Unmanaged<SettingsSlot>? {
    var index = firstPlace(of: name)
    while let slot = places[index].load(ordering: .acquiring) {
      if slot._withUnsafeGuaranteedRef({ $0.name == name }) { return slot }
      index = (index + 1) & (count - 1)
    }
    return nil
  }

  /// Adds a slot whose name has none; by one thread at a time.
  func insert(_ slot: SettingsSlot) {
    var index = firstPlace(of: slot.name)
    while places[index].load(ordering: .relaxed) != nil { index = (index + 1) & (count - 1) }
    places[index].store(.passUnretained(slot), ordering: .releasing)
  }

  @inline(__always)
  private func firstPlace(of name: SettingsName) -> Int {
    Int(truncatingIfNeeded: name.hash) & (count - 1)
  }
}
