/// Keyed containers for documents to come, from those that are done with.
enum DecodingContainerPool {
  typealias Cache = KeyedContainerCache<KeyedCell>

  private static let idle = IdlePool()

  static func acquire() -> UnsafeMutablePointer<Cache> {
    if let cache = idle.acquire() { return cache.assumingMemoryBound(to: Cache.self) }
    let cache = UnsafeMutablePointer<Cache>.allocate(capacity: 1)
    cache.initialize(to: Cache())
    return cache
  }

  /// Ends the use of a cache; containers that are still referenced keep their storage.
  static func release(_ cache: UnsafeMutablePointer<Cache>) {
    cache.pointee.retire { $0.storage = nil }
    idle.release(cache)
  }
}

extension TapeValues {
  /// A container for an object's values.
  @inline(__always)
  func keyedContainer<Key: CodingKey>(
    for object: Int, keyedBy type: Key.Type
  ) -> KeyedDecodingContainer<Key> {
    // Another container may have asked the object before.
    state.pointee.tape.resetCursor(object)
    guard let entry = state.pointee.containers?.idleEntry(for: type),
      let cell = entry.pointee.cell
    else { return newContainer(for: object, keyedBy: type) }
    cell.pointee.begin(object)
    state.pointee.tape.noteKeyType(cell.pointee.keyType, of: object)
    // It may still refer to another storage: one that was released at the end of its decoding, or
    // one that a container kept alive until now.
    if cell.pointee.storage == nil || cell.pointee.values.state != state {
      cell.pointee.storage = state.pointee.storage.unsafelyUnwrapped.takeUnretainedValue()
      cell.pointee.values = self
    }
    return entry.pointee.container(KeyedDecodingContainer<Key>.self)
  }

  @inline(never)
  private func newContainer<Key: CodingKey>(
    for object: Int, keyedBy type: Key.Type
  ) -> KeyedDecodingContainer<Key> {
    let keyType = KeyTypes.number(of: type)
    let cell = CellReference(
      KeyedCell(
        storage: state.pointee.storage.unsafelyUnwrapped.takeUnretainedValue(), values: self,
        object: object, keyType: keyType, texts: KeyTexts(of: type)))
    state.pointee.tape.noteKeyType(keyType, of: object)
    let container = KeyedDecodingContainer(KeyedValues<Key>(reference: cell))
    if let cache = state.pointee.containers {
      cache.insert(container, for: type, cell: cell.pointer)
    } else {
      // Of a decoder that outlived the decoding.
      let cache = DecodingContainerPool.acquire()
      cache.pointee.insert(container, for: type, cell: cell.pointer)
      DecodingContainerPool.release(cache)
    }
    return container
  }
}
