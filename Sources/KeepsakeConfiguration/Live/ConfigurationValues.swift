#if Configuration
/// The values that a configuration takes, the present one first.
///
/// Whoever is slow skips values, but always comes to the latest; a value is given when one that it is
/// read from changes, and at no other change. One of another type is reported, and is not given: the
/// last good one still holds.
public struct ConfigurationValues<Value: Sendable>: AsyncSequence, Sendable {
  let configuration: EnvironmentConfiguration
  let read: @Sendable (ConfigurationStore) -> Update

  /// What is read at one moment.
  struct Update {
    let result: Result<Value, ConfigurationErrors>
    let read: [ConfigurationName: ConfigurationLayers.Content?]
    let listed: [ConfigurationName: [ConfigurationName]]
  }

  /// Gives the values one after the other.
  public func makeAsyncIterator() -> Iterator {
    Iterator(configuration: configuration, read: read)
  }

  /// The place that a loop has come to.
  public struct Iterator: AsyncIteratorProtocol {
    let configuration: EnvironmentConfiguration
    let read: @Sendable (ConfigurationStore) -> Update
    var seen: UInt64 = 0
    var last: Update?

    /// The next value; `nil` once the task is cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Never) -> Value? {
      let store = configuration.store
      while !Task.isCancelled {
        let version = store.current.version
        if version == seen {
          await store.wait(past: seen)
          continue
        }
        // What changes while it is read is read again.
        seen = version
        let update = read(store)
        if let last, last.read == update.read, last.listed == update.listed { continue }
        last = update
        switch update.result {
        case .success(let value): return value
        case .failure(let errors): errors.all.forEach(store.tell)
        }
      }
      return nil
    }

    /// The next value; `nil` once the task is cancelled.
    public mutating func next() async -> Value? {
      await next(isolation: nil)
    }
  }
}

extension EnvironmentConfiguration {
  /// The values that a key takes from now on, the present one first; `nil` while no layer has one.
  public func values<Value: Decodable & Sendable>(
    of key: String, as type: Value.Type = Value.self
  ) -> ConfigurationValues<Value?> {
    values(Value?.self, ConfigurationName(key)) { $0 }
  }

  /// The values that a key takes from now on, the present one first; a default while no layer has one.
  public func values<Value: Decodable & Sendable>(
    of key: String, default defaultValue: Value
  ) -> ConfigurationValues<Value> {
    values(Value?.self, ConfigurationName(key)) { $0 ?? defaultValue }
  }

  /// The whole configuration as a type's, from now on and the present one first.
  ///
  /// While a key is missing or of another type, the last good one holds.
  public func values<Settings: Decodable & Sendable>(
    decoding type: Settings.Type
  ) -> ConfigurationValues<Settings> {
    values(type, .root) { $0 }
  }

  private func values<Value: Decodable & Sendable, Element: Sendable>(
    _ type: Value.Type, _ name: ConfigurationName,
    _ transform: @escaping @Sendable (Value) -> Element
  ) -> ConfigurationValues<Element> {
    ConfigurationValues(configuration: self) { store in
      let reading = store.read(type, name)
      return ConfigurationValues<Element>.Update(
        result: reading.result.map(transform), read: reading.read, listed: reading.listed)
    }
  }
}
#endif
