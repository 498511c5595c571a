import KeepsakeCoding

/// The name, type and default of one setting.
///
/// ```swift
/// extension SettingsKey where Value == Int {
///   static let rating = SettingsKey("rating", default: 0)
/// }
/// let rating = store[.rating]
/// ```
///
/// The name is any string; names are compared by their UTF-8 bytes. The value's type conforms to
/// ``SettingsValue``, has a raw value whose type does, or is `Codable`; if several of these apply,
/// the first one is used.
public struct SettingsKey<Value: Sendable>: Sendable {
  @usableFromInline let id: SettingsName
  /// The value that is returned if none of this type is stored.
  public let defaultValue: Value

  @usableFromInline let coding: SettingsCoding<Value>

  /// The setting's key in the property list.
  public var name: String { id.string }

  @usableFromInline
  init(name: String, defaultValue: Value, coding: SettingsCoding<Value>) {
    self.id = SettingsName(name)
    self.defaultValue = defaultValue
    self.coding = coding
  }
}

extension SettingsKey where Value: SettingsValue {
  /// Creates a key for a value that is stored directly.
  @inlinable
  public init(_ name: String, default defaultValue: Value) {
    self.init(name: name, defaultValue: defaultValue, coding: .direct)
  }

  /// Creates a key for an optional value that is stored directly.
  public init<Wrapped: SettingsValue>(_ name: String) where Value == Wrapped? {
    self.init(name: name, defaultValue: nil, coding: .optional(.direct))
  }
}

extension SettingsKey where Value: RawRepresentable, Value.RawValue: SettingsValue {
  /// Creates a key for a value that is stored as its raw value.
  public init(_ name: String, default defaultValue: Value) {
    self.init(name: name, defaultValue: defaultValue, coding: .raw)
  }
}

extension SettingsKey
where Value: SettingsValue & RawRepresentable, Value.RawValue: SettingsValue {
  /// Creates a key for a value that is stored directly, although it also has a raw value.
  public init(_ name: String, default defaultValue: Value) {
    self.init(name: name, defaultValue: defaultValue, coding: .direct)
  }
}

extension SettingsKey where Value: Codable {
  /// Creates a key for a value that is stored in its `Codable` form.
  ///
  /// - Parameters:
  ///   - name: The setting's key in the property list.
  ///   - defaultValue: The value that is returned if none of this type is stored.
  ///   - userInfo: What the type finds in the `userInfo` of its encoder and decoder.
  @_disfavoredOverload
  public init(
    _ name: String, default defaultValue: Value,
    userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) {
    self.init(name: name, defaultValue: defaultValue, coding: .codable(userInfo: userInfo))
  }
}

extension SettingsKey {
  /// Creates a key for an optional value that is stored as its raw value.
  public init<Wrapped: RawRepresentable>(_ name: String)
  where Value == Wrapped?, Wrapped.RawValue: SettingsValue, Wrapped: Sendable {
    self.init(name: name, defaultValue: nil, coding: .optional(.raw))
  }

  /// Creates a key for an optional value that is stored directly, although it also has a raw value.
  public init<Wrapped: SettingsValue & RawRepresentable>(_ name: String)
  where Value == Wrapped?, Wrapped.RawValue: SettingsValue {
    self.init(name: name, defaultValue: nil, coding: .optional(.direct))
  }

  /// Creates a key for an optional value that is stored in its `Codable` form.
  ///
  /// - Parameters:
  ///   - name: The setting's key in the property list.
  ///   - userInfo: What the type finds in the `userInfo` of its encoder and decoder.
  @_disfavoredOverload
  public init<Wrapped: Codable & Sendable>(
    _ name: String, userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) where Value == Wrapped? {
    self.init(name: name, defaultValue: nil, coding: .optional(.codable(userInfo: userInfo)))
  }
}
