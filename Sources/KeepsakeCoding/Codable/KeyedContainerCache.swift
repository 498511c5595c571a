/// Keyed containers that were used before, to be used again.
///
/// To make a `KeyedDecodingContainer` or a `KeyedEncodingContainer`, the runtime has to find the
/// metadata of three generic types and to allocate a box, which takes a third of the time of
/// coding a small object. A container that only the cache refers to is nobody else's any more, so
/// it may be given out again, for another object. One that somebody has kept is left alone.
struct KeyedContainerCache<Cell>: ~Copyable {
  /// A container and its cell.
  struct Entry {
    var key: ObjectIdentifier?
    /// The only stored property of a keyed container, which is a reference to a box.
    var box: AnyObject?
    /// What tells the container which object it is for.
    var cell: UnsafeMutablePointer<Cell>?
  }

  private static var buckets: Int { 32 }
  /// Containers for the same keys, as a type needs that contains itself.
  private static var ways: Int { 4 }
  private let entries: UnsafeMutablePointer<Entry>

  init() {
    entries = .allocate(capacity: Self.buckets * Self.ways)
    entries.initialize(repeating: Entry(), count: Self.buckets * Self.ways)
  }

  deinit {
    entries.deinitialize(count: Self.buckets * Self.ways)
    entries.deallocate()
  }

  /// The first entry of those that a type of keys can be in.
  @inline(__always) private func bucket(_ key: ObjectIdentifier) -> UnsafeMutablePointer<Entry> {
    let hash = UInt(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15
    // Five bits: always below the number of buckets.
    return entries + Int(bitPattern: hash &>> 59) &* Self.ways
  }

  /// The entry of a container for some keys that nobody uses.
  @inline(__always)
  func idleEntry<Key>(for key: Key.Type) -> UnsafeMutablePointer<Entry>? {
    let key = ObjectIdentifier(key)
    let bucket = bucket(key)
    for way in 0..<Self.ways where bucket[way].key == key {
      if isKnownUniquelyReferenced(&bucket[way].box) { return bucket + way }
    }
    return nil
  }

  /// The container of an entry, whose type must be that which was inserted for the same keys.
  @inline(__always)
  func container<Container>(
    _ entry: UnsafeMutablePointer<Entry>, as type: Container.Type
  ) -> Container {
    UnsafeMutableRawPointer(entry).advanced(by: Self.boxOffset)
      .assumingMemoryBound(to: Container.self).pointee
  }

  private static var boxOffset: Int { MemoryLayout<Entry>.offset(of: \.box) ?? 8 }

  /// Keeps a container, for when nobody else uses it any more.
  @inline(never)
  func insert<Key, Container>(
    _ container: Container, for key: Key.Type, cell: UnsafeMutablePointer<Cell>
  ) {
    guard MemoryLayout<Container>.size == MemoryLayout<AnyObject>.size else { return }
    let key = ObjectIdentifier(key)
    let bucket = bucket(key)
    // The oldest makes room: the others move on by one, and are as valid as before.
    bucket[Self.ways - 1].box = nil
    for way in (1..<Self.ways).reversed() { swap(&bucket[way], &bucket[way - 1]) }
    bucket.pointee = Entry(
      key: key, box: unsafeBitCast(container, to: AnyObject.self), cell: cell)
  }

  /// Lets go of the containers that somebody has kept, and of what the others were for.
  func retire(_ release: (inout Cell) -> Void) {
    for index in 0..<Self.buckets * Self.ways where entries[index].key != nil {
      if isKnownUniquelyReferenced(&entries[index].box) {
        if let cell = entries[index].cell { release(&cell.pointee) }
      } else {
        entries[index] = Entry()
      }
    }
  }
}
