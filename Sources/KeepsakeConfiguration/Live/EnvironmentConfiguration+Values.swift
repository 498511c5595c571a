#if Configuration
import KeepsakeBase

extension EnvironmentConfiguration {
  /// The values of a key from now on, the present one first; `nil` while no layer has one.
  ///
  /// A slow loop skips values, but always comes to the latest; a value is given when one that it is
  /// read from changes, and at no other change. One of another type is reported, and is not given:
  /// the last good one still holds. A loop ends once its task is canceled.
  public func values<Value: Decodable & Sendable>(
    of key: String, as type: Value.Type = Value.self
  ) -> some AsyncSequence<Value?, Never> & Sendable {
    values(Value?.self, ConfigurationName(key)) { $0 }
  }

  /// The values of a key from now on, the present one first; a default while no layer has one.
  ///
  /// A slow loop skips values, but always comes to the latest; a value is given when one that it is
  /// read from changes, and at no other change. One of another type is reported, and is not given:
  /// the last good one still holds. A loop ends once its task is canceled.
  public func values<Value: Decodable & Sendable>(
    of key: String, default defaultValue: Value
  ) -> some AsyncSequence<Value, Never> & Sendable {
    values(Value?.self, ConfigurationName(key)) { $0 ?? defaultValue }
  }

  /// The whole configuration as a type's, from now on and the present one first.
  ///
  /// While a key is missing or of another type, that is reported, and the last good one holds. A slow
  /// loop skips values, but always comes to the latest; a value is given when one that it is read from
  /// changes, and at no other change. A loop ends once its task is canceled.
  public func values<Settings: Decodable & Sendable>(
    decoding type: Settings.Type
  ) -> some AsyncSequence<Settings, Never> & Sendable {
    values(type, .root) { $0 }
  }

  private func values<Value: Decodable & Sendable, Element: Sendable>(
    _ type: Value.Type, _ name: ConfigurationName,
    _ transform: @escaping @Sendable (Value) -> Element
  ) -> some AsyncSequence<Element, Never> & Sendable {
    ChangeSequence {
      ConfigurationCursor(self) { store in
        let reading = store.read(type, name)
        return .init(result: reading.result.map(transform), identity: reading.sources)
      }
    }
  }
}
#endif
