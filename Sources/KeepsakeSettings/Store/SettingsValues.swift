import KeepsakeBase

/// The values that a setting takes, the present one first.
///
/// Whoever is slow skips values, but always comes to the latest; a value is given when its own key
/// changes, and no other.
public struct SettingsValues<Value: Sendable>: AsyncSequence, Sendable {
  let store: SettingsStore
  let key: SettingsKey<Value>

  /// Gives the values one after the other.
  public func makeAsyncIterator() -> Iterator {
    Iterator(cell: SettingsCell(key: key, store: store))
  }

  /// The place that a loop has come to.
  public struct Iterator: AsyncIteratorProtocol {
    let cell: SettingsCell<Value>
    var seen: UInt64 = 0

    /// The next value; `nil` once the task is cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Never) -> Value? {
      while !Task.isCancelled {
        let current = cell.current
        if current.version != seen {
          seen = current.version
          return current.value
        }
        await cell.slot.wait(past: seen)
      }
      return nil
    }

    /// The next value; `nil` once the task is cancelled.
    public mutating func next() async -> Value? {
      await next(isolation: nil)
    }
  }
}

extension SettingsStore {
  /// The values that a setting takes from now on, the present one first.
  public func values<Value>(of key: SettingsKey<Value>) -> SettingsValues<Value> {
    SettingsValues(store: self, key: key)
  }
}
