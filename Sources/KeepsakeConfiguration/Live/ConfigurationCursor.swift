#if Configuration
import KeepsakeBase

/// The position of a loop among what is read of a configuration, one reading after the other.
struct ConfigurationCursor<Element, Identity: Equatable>: ChangeCursor {
  /// What is read at one moment.
  struct Reading {
    let result: Result<Element, ConfigurationErrors>
    /// Equal to the one before where the result is the same.
    let identity: Identity
  }

  let configuration: EnvironmentConfiguration
  let read: (ConfigurationStore) -> Reading
  private var seen: UInt64 = 0
  private var last: Identity?

  init(
    _ configuration: EnvironmentConfiguration, _ read: @escaping (ConfigurationStore) -> Reading
  ) {
    self.configuration = configuration
    self.read = read
  }

  var waiters: Waiters { configuration.store.signal.waiters }
  var hasChanged: Bool { configuration.store.signal.version != seen }

  mutating func next() -> Element? {
    let store = configuration.store
    let version = store.signal.version
    if version == seen { return nil }
    // What changes while it is read is read again.
    seen = version
    let reading = read(store)
    if let last, last == reading.identity { return nil }
    last = reading.identity
    switch reading.result {
    case .success(let element): return element
    case .failure(let errors):
      errors.all.forEach(store.tell)
      return nil
    }
  }
}
#endif
