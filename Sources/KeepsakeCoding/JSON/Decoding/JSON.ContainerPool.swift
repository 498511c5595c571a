extension JSON {
  /// Keyed containers for documents to come, from those that are done with.
  enum ContainerPool {
    typealias Cache = KeyedContainerCache<KeyedCell>

    private static let idle = KeyedContainerPool<KeyedCell>()

    static func take() -> Cache { idle.take() }

    /// Ends the use of a cache; containers that somebody has kept keep their document.
    static func giveBack(_ cache: Cache) { idle.giveBack(cache) { $0.document = nil } }
  }
}

extension JSON.Entries {
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
    // What it was for last may have been another document's: one that was let go of at the end of
    // its decoding, or one that a container kept by somebody has held until now.
    if cell.pointee.document == nil || cell.pointee.entries.state != state {
      cell.pointee.document = state.pointee.document.unsafelyUnwrapped.takeUnretainedValue()
      cell.pointee.entries = self
    }
    return entry.pointee.container(KeyedDecodingContainer<Key>.self)
  }

  @inline(never)
  private func newContainer<Key: CodingKey>(
    for object: Int, keyedBy type: Key.Type
  ) -> KeyedDecodingContainer<Key> {
    let cell = UnsafeMutablePointer<JSON.KeyedCell>.allocate(capacity: 1)
    cell.initialize(
      to: JSON.KeyedCell(
        document: state.pointee.document.unsafelyUnwrapped.takeUnretainedValue(), entries: self,
        object: object, keyType: KeyTypes.number(of: type), texts: KeyTexts(of: type)))
    state.pointee.tape.noteKeyType(cell.pointee.keyType, of: object)
    let container = KeyedDecodingContainer(JSON.KeyedValues<Key>(cell: cell))
    if let cache = state.pointee.containers {
      cache.insert(container, for: type, cell: cell)
    } else {
      // Of a decoder that somebody has kept beyond the decoding.
      let cache = JSON.ContainerPool.take()
      cache.insert(container, for: type, cell: cell)
      JSON.ContainerPool.giveBack(cache)
    }
    return container
  }
}
