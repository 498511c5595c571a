/// Keyed containers for codings to come, from those that are done.
final class KeyedContainerPool<Cell: ContainerCell>: Sendable {
  typealias Cache = KeyedContainerCache<Cell>

  private let idle = IdlePool<Cache>()

  func take() -> Cache { idle.take() ?? Cache() }

  /// Ends the use of a cache; containers that somebody has kept keep what they are for.
  ///
  /// - Parameter release: Lets go of what a container was for.
  func giveBack(_ cache: Cache, _ release: (inout Cell) -> Void) {
    cache.retire(release)
    idle.giveBack(cache)
  }
}
