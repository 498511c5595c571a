/// A property that is stored in the app's settings.
///
/// ```swift
/// @AppStorage("ratings") var ratings = ""
/// ```
///
/// It works in any type, view or not, and in initializers. A static property needs `@MainActor`,
/// because Swift forbids a `static var` that threads share. Observation tracks reads, so views that
/// show the value are notified when it changes, in this process or another. In an `@Observable`
/// class, write `@ObservationIgnored @AppStorage`.
///
/// A stored value of another type reads as the default and is reported to the store. A change that
/// cannot be written is reported and not made.
@propertyWrapper
public struct AppStorage<Value: Sendable>: Sendable {
  @usableFromInline let cell: SettingsCell<Value>

  /// Creates a property that is stored under a key.
  ///
  /// - Parameters:
  ///   - key: The name, type and default of the setting.
  ///   - store: The store that contains it; by default ``SettingsStore/standard``.
  public init(_ key: SettingsKey<Value>, store: SettingsStore? = nil) {
    cell = SettingsCell(key: key, store: store ?? .standard)
  }

  /// The stored value, or the default.
  ///
  /// A read followed by a write is not atomic: if another thread or process changes the value
  /// during `x += 1`, that change is lost. ``SettingsStore/transaction(_:)`` makes both atomic.
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
  /// Creates a property whose value is stored directly.
  public init(wrappedValue: Value, _ key: String, store: SettingsStore? = nil) {
    self.init(SettingsKey(key, default: wrappedValue), store: store)
  }

  /// Creates an optional property whose value is stored directly; `nil` removes the key.
  public init<Wrapped: SettingsValue>(_ key: String, store: SettingsStore? = nil)
  where Value == Wrapped? {
    self.init(SettingsKey(key), store: store)
  }
}

extension AppStorage where Value: RawRepresentable, Value.RawValue: SettingsValue {
  /// Creates a property whose value is stored as its raw value.
  public init(wrappedValue: Value, _ key: String, store: SettingsStore? = nil) {
    self.init(SettingsKey(key, default: wrappedValue), store: store)
  }
}

extension AppStorage
where Value: SettingsValue & RawRepresentable, Value.RawValue: SettingsValue {
  /// Creates a property whose value is stored directly, although it also has a raw value.
  public init(wrappedValue: Value, _ key: String, store: SettingsStore? = nil) {
    self.init(SettingsKey(key, default: wrappedValue), store: store)
  }
}

extension AppStorage where Value: Codable {
  /// Creates a property whose value is stored in its `Codable` form.
  @_disfavoredOverload
  public init(wrappedValue: Value, _ key: String, store: SettingsStore? = nil) {
    self.init(SettingsKey(key, default: wrappedValue), store: store)
  }
}

extension AppStorage {
  /// Creates an optional property whose value is stored as its raw value; `nil` removes the key.
  public init<Wrapped: RawRepresentable & Sendable>(_ key: String, store: SettingsStore? = nil)
  where Value == Wrapped?, Wrapped.RawValue: SettingsValue {
    self.init(SettingsKey(key), store: store)
  }

  /// Creates an optional property whose value is stored directly, although it also has a raw value;
  /// `nil` removes the key.
  public init<Wrapped: SettingsValue & RawRepresentable>(_ key: String, store: SettingsStore? = nil)
  where Value == Wrapped?, Wrapped.RawValue: SettingsValue {
    self.init(SettingsKey(key), store: store)
  }

  /// Creates an optional property whose value is stored in its `Codable` form; `nil` removes the
  /// key.
  @_disfavoredOverload
  public init<Wrapped: Codable & Sendable>(_ key: String, store: SettingsStore? = nil)
  where Value == Wrapped? {
    self.init(SettingsKey(key), store: store)
  }
}

/// Another name of ``AppStorage``, for files that also import a module with an `AppStorage` of its own,
/// such as SwiftUI.
public typealias SettingStorage = AppStorage
