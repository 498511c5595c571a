/// Keyed containers for codings to come, from those that are done.
final class KeyedContainerPool<Cell: ContainerCell>: Sendable {
  typealias Cache = KeyedContainerCache<Cell>

  private let idle = IdlePool<Cache>()

  func acquire() -> Cache { idle.acquire() ?? Cache() }

  /// Ends the use of a cache; containers that are still referenced keep their contents.
  ///
  /// - Parameter release: Releases the contents of a container.
  func release(_ cache: Cache, _ release: (inout Cell) -> Void) {
    cache.retire(release)
    idle.release(cache)
  }
}
