#if Configuration
import KeepsakeBase

/// The position of a loop in the sequence of results that are read from a configuration.
struct ConfigurationCursor<Element, Identity: Equatable>: ChangeCursor {
  /// The result at one moment.
  struct Reading {
    let result: Result<Element, ConfigurationErrors>
    /// Equal to the previous one if the result is unchanged.
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
    // A change during the read causes another read.
    seen = version
    let reading = read(store)
    if let last, last == reading.identity { return nil }
    last = reading.identity
    switch reading.result {
    case .success(let element): return element
    case .failure(let errors):
      errors.all.forEach(store.report)
      return nil
    }
  }
}
#endif
