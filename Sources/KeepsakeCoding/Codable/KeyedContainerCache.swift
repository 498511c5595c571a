#if os(Linux) && !KEEPSAKE_PORTABLE_CONTAINERS
/// Keyed containers that were used before, to be used again.
///
/// To make a `KeyedDecodingContainer` or a `KeyedEncodingContainer`, the runtime has to find the
/// metadata of three generic types and to allocate a box: a third of the time of coding a small
/// object. And for each value that goes through it, the box copies what is in it, so a reference
/// in there would be counted up and down each time.
///
/// So the boxes belong to the cache, and hold no more than the address of a cell, in which the
/// cache says what a container is for. A box that only the cache refers to is
/// idle and is used again. One that is still referenced stays unchanged, with its cell, until it is
/// released: the memory stays valid however long that takes, as a cache is never deallocated.
///
/// This relies on the layout of the standard library's containers, so it is for Linux only, and
/// `-DKEEPSAKE_PORTABLE_CONTAINERS` leaves it out.
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
  /// The containers for which all ways were in use: a stack, as those of a type that
  /// contains itself are used.
  private let others: UnsafeMutablePointer<[Entry]>
  /// How many of them may be in use, and the most that were in this coding.
  private let othersInUse: UnsafeMutablePointer<(now: Int, most: Int)>
  /// The one of them that was examined last, and how many are to be examined, as one is still
  /// referenced.
  private let looks: UnsafeMutablePointer<(last: Int, left: Int)>
  /// The buckets that have containers for something, a bit for each.
  private let used: UnsafeMutablePointer<UInt64>
  /// How many codings have used the cache.
  private let uses: UnsafeMutablePointer<UInt64>

  init() {
    entries = .allocate(capacity: Self.buckets * Self.ways)
    entries.initialize(repeating: Entry(), count: Self.buckets * Self.ways)
    others = .allocate(capacity: 1)
    others.initialize(to: [])
    othersInUse = .allocate(capacity: 1)
    othersInUse.initialize(to: (0, 0))
    looks = .allocate(capacity: 1)
    looks.initialize(to: (0, 0))
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

  /// The bucket of a type of keys: six bits, always below the number of buckets.
  @inline(__always) private static func bucket(_ key: ObjectIdentifier) -> Int {
    key.hash(bits: 6)
  }

  /// The entry of an idle container for a type of keys.
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
      var top = othersInUse.pointee.now
      while top > 0, isKnownUniquelyReferenced(&others[top - 1].box) { top -= 1 }
      othersInUse.pointee.now = top
      // Those of several types have been used in the same order before.
      for index in top..<min(top + 8, others.count)
      where others[index].key == key && isKnownUniquelyReferenced(&others[index].box) {
        others.swapAt(index, top)
        countOther()
        return others.baseAddress! + top
      }
      return nil
    }
  }

  /// Counts one more of the others.
  private func countOther() {
    othersInUse.pointee.now += 1
    othersInUse.pointee.most = max(othersInUse.pointee.most, othersInUse.pointee.now)
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
    let way =
      (0..<Self.ways).first { first[$0].key == nil }
      ?? (0..<Self.ways).last { isKnownUniquelyReferenced(&first[$0].box) }
    guard let way else {
      others.pointee.append(entry)
      others.pointee.swapAt(others.pointee.count - 1, othersInUse.pointee.now)
      return countOther()
    }
    Self.free(first[way])
    first[way] = entry
  }

  private static func free(_ entry: Entry) {
    entry.maker?.release()
    entry.cell?.pointee.free()
    entry.cell?.deinitialize(count: 1)
    entry.cell?.deallocate()
  }

  /// Ends the use of all containers but those that are still referenced, which are examined again
  /// the next time.
  ///
  /// - Parameter release: Releases the contents of a container.
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
    if othersInUse.pointee.most > 0 { retireOthers(release) }
    if looks.pointee.left > 0 { lookAtOthers(release) }
  }

  @inline(never)
  private func retireOthers(_ release: (inout Cell) -> Void) {
    for index in 0..<othersInUse.pointee.most where isOtherIdle(index) {
      if let cell = others.pointee[index].cell { release(&cell.pointee) }
    }
    othersInUse.pointee = (0, 0)
    while others.pointee.count > Self.maximumOthers, isOtherIdle(others.pointee.count - 1) {
      Self.free(others.pointee.removeLast())
    }
  }

  /// Finds containers that were released after their coding.
  ///
  /// Who keeps very many does not pay for all of them each time.
  @inline(never)
  private func lookAtOthers(_ release: (inout Cell) -> Void) {
    for _ in 0..<min(Self.othersAtOnce, others.pointee.count) {
      let index = looks.pointee.last + 1 < others.pointee.count ? looks.pointee.last + 1 : 0
      looks.pointee = (index, looks.pointee.left - 1)
      guard isOtherIdle(index) else { continue }
      if others.pointee.count > Self.maximumOthers {
        others.pointee.swapAt(index, others.pointee.count - 1)
        Self.free(others.pointee.removeLast())
      } else if let cell = others.pointee[index].cell {
        release(&cell.pointee)
      }
    }
  }

  /// Whether a container is idle; if it is not, all are examined until all are idle.
  private func isOtherIdle(_ index: Int) -> Bool {
    if isKnownUniquelyReferenced(&others.pointee[index].box) { return true }
    looks.pointee.left = others.pointee.count
    return false
  }

  /// As many as objects can be open at once are kept for the next coding.
  private static var maximumOthers: Int { 512 }
  private static var othersAtOnce: Int { 64 }
}
#else
/// Stands for the cache where the layout of keyed containers is not known: each is a new one, which
/// owns its cell.
struct KeyedContainerCache<Cell: ContainerCell> {
  enum Entry {
    var cell: UnsafeMutablePointer<Cell>? { switch self {} }
    func container<Container>(_ type: Container.Type) -> Container { switch self {} }
  }

  func countUse() -> UInt64 { 1 }

  func idleEntry<Key>(for type: Key.Type) -> UnsafeMutablePointer<Entry>? { nil }

  func insert<Key, Container>(
    _ container: Container, for type: Key.Type, cell: UnsafeMutablePointer<Cell>
  ) {}

  func retire(_ release: (inout Cell) -> Void) {}
}
#endif
