import Synchronization

/// The least that reading by name can cost any thread-safe store.
final class LockedDictionary: Sendable {
  private let values: Mutex<[String: Int]>

  init(count: Int) {
    values = Mutex(
      Dictionary(uniqueKeysWithValues: (0..<count).map { (Fixture.name($0), $0) }))
  }

  subscript(key: String) -> Int { values.withLock { $0[key] ?? 0 } }
}
