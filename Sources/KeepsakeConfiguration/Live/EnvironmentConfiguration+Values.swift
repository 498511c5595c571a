#if Configuration
import KeepsakeBase

extension EnvironmentConfiguration {
  /// The current value of a key, and then each change; `nil` while no layer has one.
  ///
  /// A slow loop skips values, but always receives the latest. A value is returned when one of the values
  /// that it is read from changes. One of another type is reported and skipped, so that the last valid one
  /// remains in effect. A loop ends when its task is canceled.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - type: The type of the values.
  public func values<Value: Decodable & Sendable>(
    of key: String, as type: Value.Type = Value.self
  ) -> some AsyncSequence<Value?, Never> & Sendable {
    values(Value?.self, ConfigurationName(key)) { $0 }
  }

  /// The current value of a key, and then each change; a default while no layer has one.
  ///
  /// A slow loop skips values, but always receives the latest. A value is returned when one of the values
  /// that it is read from changes. One of another type is reported and skipped, so that the last valid one
  /// remains in effect. A loop ends when its task is canceled.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - defaultValue: The value while no layer has one.
  public func values<Value: Decodable & Sendable>(
    of key: String, default defaultValue: Value
  ) -> some AsyncSequence<Value, Never> & Sendable {
    values(Value?.self, ConfigurationName(key)) { $0 ?? defaultValue }
  }

  /// The whole configuration decoded as a type, and then each change.
  ///
  /// A missing key, or one of another type, is reported, and the last valid result remains in effect. A
  /// slow loop skips values, but always receives the latest. A value is returned when one of the values
  /// that it is read from changes. A loop ends when its task is canceled.
  ///
  /// - Parameter type: The type; its properties are the keys.
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
