import Synchronization

/// Keyed containers for codings to come, from those that are done.
final class KeyedContainerPool<Cell: ContainerCell>: Sendable {
  typealias Cache = KeyedContainerCache<Cell>

  /// `@unchecked`: whoever takes a cache out of the pool is the only one to use it until it is
  /// given back, and the pool itself uses none.
  private struct Idle: @unchecked Sendable {
    var caches: [Cache] = []
  }

  /// There are never more than there were codings at the same time.
  private let idle = Mutex(Idle())

  func take() -> Cache {
    idle.withLock { $0.caches.popLast() } ?? Cache()
  }

  /// Ends the use of a cache; containers that somebody has kept keep what they are for.
  ///
  /// - Parameter release: Lets go of what a container was for.
  func giveBack(_ cache: Cache, _ release: (inout Cell) -> Void) {
    cache.retire(release)
    idle.withLock { $0.caches.append(cache) }
  }
}
