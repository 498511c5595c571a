import Synchronization

/// Numbers that are each given once, for values to be stored: SQLite writes nothing where a value is
/// what it was already, and that would be no measurement of a change.
enum Numbers {
  private static let next = Atomic(1000)

  static func take(_ count: Int) -> Range<Int> {
    let first = next.wrappingAdd(count, ordering: .relaxed).oldValue
    return first..<first + count
  }
}
