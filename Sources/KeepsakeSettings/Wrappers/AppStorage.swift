/// A property that is kept in the app's settings.
///
/// ```swift
/// @AppStorage("ratings") var ratings = ""
/// ```
///
/// It works anywhere: in a structure, inside an initializer, in a view or not. As a static property it
/// needs `@MainActor`, for Swift lets no two threads share a `static var`. Reading it is tracked by Observation, so that whatever showed the value is told when it changes, in
/// this process or another; in an `@Observable` class write `@ObservationIgnored @AppStorage`.
///
/// A stored value of another type gives the default and is reported to the store; a change that cannot
/// be written is reported and not made.
@propertyWrapper
public struct AppStorage<Value: Sendable>: Sendable {
  @usableFromInline let cell: SettingsCell<Value>

  /// A property kept under a key.
  ///
  /// - Parameters:
  ///   - key: The name, type and default of the setting.
  ///   - store: Where it is kept; the app's own settings by default.
  public init(_ key: SettingsKey<Value>, store: SettingsStore? = nil) {
    cell = SettingsCell(key: key, store: store ?? .standard)
  }

  /// The value that is kept, or the default.
  ///
  /// A read and a write are a step each: `x += 1` is both, and a change that another thread or process
  /// makes in between is lost. ``SettingsStore/transaction(_:)`` makes them one step.
  @inlinable
  public var wrappedValue: Value {
    get { cell.value }
    nonmutating set { cell.value = newValue }
  }

  /// A binding to the value.
  public var projectedValue: Binding<Value> {
    Binding { [cell] in
      cell.value
    } set: { [cell] in
      cell.value = $0
    }
  }
}

extension AppStorage where Value: SettingsValue {
  /// A property of a type that is stored as it is.
  public init(wrappedValue: Value, _ key: String, store: SettingsStore? = nil) {
    self.init(SettingsKey(key, default: wrappedValue), store: store)
  }

  /// An optional property of a type that is stored as it is; `nil` removes the key.
  public init<Wrapped: SettingsValue>(_ key: String, store: SettingsStore? = nil)
  where Value == Wrapped? {
    self.init(SettingsKey(key), store: store)
  }
}

extension AppStorage where Value: RawRepresentable, Value.RawValue: SettingsValue {
  /// A property that is stored by its raw value.
  public init(wrappedValue: Value, _ key: String, store: SettingsStore? = nil) {
    self.init(SettingsKey(key, default: wrappedValue), store: store)
  }
}

extension AppStorage
where Value: SettingsValue & RawRepresentable, Value.RawValue: SettingsValue {
  /// A property of a type that is stored as it is, though it has a raw value too.
  public init(wrappedValue: Value, _ key: String, store: SettingsStore? = nil) {
    self.init(SettingsKey(key, default: wrappedValue), store: store)
  }
}

extension AppStorage where Value: Codable {
  /// A property that is stored as it encodes itself.
  @_disfavoredOverload
  public init(wrappedValue: Value, _ key: String, store: SettingsStore? = nil) {
    self.init(SettingsKey(key, default: wrappedValue), store: store)
  }
}

extension AppStorage {
  /// An optional property that is stored by its raw value; `nil` removes the key.
  public init<Wrapped: RawRepresentable & Sendable>(_ key: String, store: SettingsStore? = nil)
  where Value == Wrapped?, Wrapped.RawValue: SettingsValue {
    self.init(SettingsKey(key), store: store)
  }

  /// An optional property that is stored as it is, though it has a raw value too; `nil` removes
  /// the key.
  public init<Wrapped: SettingsValue & RawRepresentable>(_ key: String, store: SettingsStore? = nil)
  where Value == Wrapped?, Wrapped.RawValue: SettingsValue {
    self.init(SettingsKey(key), store: store)
  }

  /// An optional property that is stored as it encodes itself; `nil` removes the key.
  @_disfavoredOverload
  public init<Wrapped: Codable & Sendable>(_ key: String, store: SettingsStore? = nil)
  where Value == Wrapped? {
    self.init(SettingsKey(key), store: store)
  }
}
