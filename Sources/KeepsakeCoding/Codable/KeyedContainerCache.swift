/// Keyed containers that were used before, to be used again.
///
/// To make a `KeyedDecodingContainer` or a `KeyedEncodingContainer`, the runtime has to find the
/// metadata of three generic types and to allocate a box: a third of the time of coding a small
/// object. And for each value that goes through it, the box copies what is in it, so a reference
/// in there would be counted up and down each time.
///
/// So the boxes belong to the cache, and hold no more than the address of a cell, in which the
/// cache says what a container is for. A box that only the cache refers to is nobody else's any
/// more, and may be given out again. One that somebody has kept stays as it is, cell and all, until
/// it is let go of: the memory is safe whoever keeps it for however long, as a cache never goes.
struct KeyedContainerCache<Cell: ContainerCell> {
  struct Entry {
    fileprivate var key: ObjectIdentifier?
    /// The only stored property of a keyed container, which is a reference to its box.
    fileprivate var box: AnyObject?
    /// Makes containers of the box; a `KeyedContainerMaker` of their type.
    fileprivate var maker: Unmanaged<AnyObject>?
    fileprivate(set) var cell: UnsafeMutablePointer<Cell>?

    /// One more container with the box.
    ///
    /// - Parameter type: The type of the container that was inserted.
    @inline(__always)
    func container<Container>(_ type: Container.Type) -> Container {
      maker.unsafelyUnwrapped._withUnsafeGuaranteedRef {
        unsafeDowncast($0, to: KeyedContainerMaker<Container>.self).make()
      }
    }
  }

  private static var buckets: Int { 64 }
  /// Containers for the same keys, as a type needs that contains itself.
  private static var ways: Int { 4 }
  private let entries: UnsafeMutablePointer<Entry>
  /// The containers that found no place, as all there were in use.
  private let others: UnsafeMutablePointer<[Entry]>
  /// The one of them that was looked at last.
  private let next: UnsafeMutablePointer<Int>
  /// The buckets that have containers for something, a bit for each.
  private let used: UnsafeMutablePointer<UInt64>
  /// How many codings have used the cache.
  private let uses: UnsafeMutablePointer<UInt64>

  init() {
    entries = .allocate(capacity: Self.buckets * Self.ways)
    entries.initialize(repeating: Entry(), count: Self.buckets * Self.ways)
    others = .allocate(capacity: 1)
    others.initialize(to: [])
    next = .allocate(capacity: 1)
    next.initialize(to: 0)
    used = .allocate(capacity: 1)
    used.initialize(to: 0)
    uses = .allocate(capacity: 1)
    uses.initialize(to: 0)
  }

  /// A number for a coding that begins to use the cache: never zero, and never the same again.
  func countUse() -> UInt64 {
    uses.pointee += 1
    return uses.pointee
  }

  /// The place of a type of keys: six bits, always below the number of buckets.
  @inline(__always) private static func bucket(_ key: ObjectIdentifier) -> Int {
    key.hash(bits: 6)
  }

  /// The entry of a container for some keys that nobody uses.
  @inline(__always)
  func idleEntry<Key>(for type: Key.Type) -> UnsafeMutablePointer<Entry>? {
    let key = ObjectIdentifier(type)
    let bucket = Self.bucket(key)
    let first = entries + bucket &* Self.ways
    for way in 0..<Self.ways where first[way].key == key {
      guard isKnownUniquelyReferenced(&first[way].box) else { continue }
      used.pointee |= 1 &<< UInt64(truncatingIfNeeded: bucket)
      return first + way
    }
    return others.pointee.isEmpty ? nil : idleOther(key)
  }

  @inline(never)
  private func idleOther(_ key: ObjectIdentifier) -> UnsafeMutablePointer<Entry>? {
    others.pointee.withUnsafeMutableBufferPointer { others in
      // A type that contains itself leaves its inner ones idle at the end.
      for index in others.indices.suffix(8) where others[index].key == key {
        if isKnownUniquelyReferenced(&others[index].box) { return others.baseAddress! + index }
      }
      return nil
    }
  }

  /// Takes a new container into the cache, which owns its cell from now on.
  @inline(never)
  func insert<Key, Container>(
    _ container: Container, for type: Key.Type, cell: UnsafeMutablePointer<Cell>
  ) {
    let key = ObjectIdentifier(type)
    // `KeyedContainerMaker` checks that this is all of it.
    let box = unsafeBitCast(container, to: AnyObject.self)
    let entry = Entry(
      key: key, box: box, maker: .passRetained(KeyedContainerMaker<Container>(box: box)),
      cell: cell)
    let bucket = Self.bucket(key)
    let first = entries + bucket * Self.ways
    used.pointee |= 1 << UInt64(bucket)
    // Types whose keys have the same bucket do not drive out each other while there is room.
    let place =
      (0..<Self.ways).first { first[$0].key == nil }
      ?? (0..<Self.ways).last { isKnownUniquelyReferenced(&first[$0].box) }
    guard let place else { return others.pointee.append(entry) }
    Self.free(first[place])
    first[place] = entry
  }

  private static func free(_ entry: Entry) {
    entry.maker?.release()
    entry.cell?.pointee.free()
    entry.cell?.deinitialize(count: 1)
    entry.cell?.deallocate()
  }

  /// Ends the use of all containers but those that somebody has kept, which are looked at again
  /// the next time.
  ///
  /// - Parameter release: Lets go of what a container was for.
  func retire(_ release: (inout Cell) -> Void) {
    var remaining = used.pointee
    while remaining != 0 {
      let bucket = remaining.trailingZeroBitCount
      remaining &= remaining &- 1
      let first = entries + bucket &* Self.ways
      var isKept = false
      for way in 0..<Self.ways where first[way].key != nil {
        if isKnownUniquelyReferenced(&first[way].box) {
          if let cell = first[way].cell { release(&cell.pointee) }
        } else {
          isKept = true
        }
      }
      if !isKept { used.pointee &= ~(1 &<< UInt64(truncatingIfNeeded: bucket)) }
    }
    if !others.pointee.isEmpty { freeOthers() }
  }

  /// Frees the containers without a place, but those that somebody has kept.
  ///
  /// Who keeps very many does not pay for all of them each time: the last ones are those that were
  /// made since, and of the others some are looked at.
  @inline(never)
  private func freeOthers() {
    func isIdle(_ index: Int) -> Bool { isKnownUniquelyReferenced(&others.pointee[index].box) }
    while let last = others.pointee.indices.last, isIdle(last) {
      Self.free(others.pointee.removeLast())
    }
    for _ in 0..<min(Self.othersAtOnce, others.pointee.count) {
      next.pointee = next.pointee + 1 < others.pointee.count ? next.pointee + 1 : 0
      guard isIdle(next.pointee) else { continue }
      others.pointee.swapAt(next.pointee, others.pointee.count - 1)
      Self.free(others.pointee.removeLast())
      if others.pointee.isEmpty { return }
    }
  }

  private static var othersAtOnce: Int { 64 }
}
