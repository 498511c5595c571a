/// Keyed containers of encodings past, to be used again.
///
/// To make a `KeyedEncodingContainer`, the runtime has to find the metadata of three generic types
/// and allocate a box: a third of the time of an encoding. A container that only the cache refers
/// to is nobody else's any more, so it may be given out again with another handle. One that
/// somebody keeps is left alone, and has a handle that is not valid any more.
struct EncodingContainerCache: ~Copyable {
  private struct Entry {
    var key: ObjectIdentifier?
    /// The only stored property of a `KeyedEncodingContainer`, which is a reference to a box.
    var box: AnyObject?
    var cell: UnsafeMutablePointer<EncodingHandle>?
  }

  private static var buckets: Int { 32 }
  /// Containers for the same keys, as a type has that contains itself.
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

  /// A container that writes through a handle.
  @inline(__always)
  func container<Key: CodingKey>(
    keyedBy type: Key.Type, _ handle: EncodingHandle
  ) -> KeyedEncodingContainer<Key> {
    let key = ObjectIdentifier(type)
    let hash = UInt(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15
    // Five bits: always below the number of buckets.
    let bucket = entries + Int(hash &>> 59) &* Self.ways
    for way in 0..<Self.ways {
      let entry = bucket + way
      guard entry.pointee.key == key, isKnownUniquelyReferenced(&entry.pointee.box) else {
        continue
      }
      entry.pointee.cell?.pointee = handle
      // The box was taken out of a container with the same keys.
      return UnsafeMutableRawPointer(entry).advanced(by: Self.boxOffset)
        .assumingMemoryBound(to: KeyedEncodingContainer<Key>.self).pointee
    }
    return newContainer(in: bucket, handle)
  }

  private static var boxOffset: Int { MemoryLayout<Entry>.offset(of: \.box) ?? 8 }

  @inline(never)
  private func newContainer<Key: CodingKey>(
    in bucket: UnsafeMutablePointer<Entry>, _ handle: EncodingHandle
  ) -> KeyedEncodingContainer<Key> {
    let concrete = KeyedContainer<Key>(handle: handle)
    let container = KeyedEncodingContainer(concrete)
    guard MemoryLayout<KeyedEncodingContainer<Key>>.size == MemoryLayout<AnyObject>.size else {
      return container
    }
    // The oldest makes room: entries move on by one, and those in use stay valid without a place.
    bucket[Self.ways - 1].box = nil
    for way in (1..<Self.ways).reversed() {
      swap(&bucket[way], &bucket[way - 1])
    }
    bucket.pointee = Entry(
      key: ObjectIdentifier(Key.self), box: unsafeBitCast(container, to: AnyObject.self),
      cell: concrete.cell)
    return container
  }
}
