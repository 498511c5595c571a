import Synchronization

extension JSON {
  /// Keyed containers for documents to come, from those that are done with.
  enum ContainerPool {
    /// A cache, which one document at a time uses.
    ///
    /// `@unchecked`: whoever takes a cache out of the pool is the only one to use it until it is
    /// given back, and the pool itself uses none.
    final class Cache: @unchecked Sendable {
      let containers = KeyedContainerCache<KeyedCell>()
    }

    /// There are never more than there were documents at the same time.
    private static let idle = Mutex<[Cache]>([])

    static func take() -> Cache {
      idle.withLock { $0.popLast() } ?? Cache()
    }

    /// Ends the use of a cache: containers that somebody has kept stay theirs, and keep their
    /// document.
    static func giveBack(_ cache: Cache) {
      cache.containers.retire { $0.document = nil }
      idle.withLock { $0.append(cache) }
    }
  }
}

extension JSON.Entries {
  /// A container for an object's values.
  @inline(__always)
  func keyedContainer<Key: CodingKey>(
    for object: Int, keyedBy type: Key.Type
  ) -> KeyedDecodingContainer<Key> {
    guard let cache = state.pointee.containers, let entry = cache.containers.idleEntry(for: type),
      let cell = entry.pointee.cell
    else { return newContainer(for: object, keyedBy: type) }
    cell.pointee.object = object
    // Its last object may have been another document's.
    if cell.pointee.document == nil {
      cell.pointee.document = state.pointee.document.unsafelyUnwrapped.takeUnretainedValue()
      cell.pointee.entries = self
    }
    return cache.containers.container(entry, as: KeyedDecodingContainer<Key>.self)
  }

  @inline(never)
  private func newContainer<Key: CodingKey>(
    for object: Int, keyedBy type: Key.Type
  ) -> KeyedDecodingContainer<Key> {
    let values = JSON.KeyedValues<Key>(
      JSON.KeyedCell(
        document: state.pointee.document.unsafelyUnwrapped.takeUnretainedValue(), entries: self,
        object: object))
    let container = KeyedDecodingContainer(values)
    state.pointee.containers?.containers.insert(container, for: type, cell: values.cell)
    return container
  }
}
