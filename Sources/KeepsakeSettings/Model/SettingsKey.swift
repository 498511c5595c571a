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
/// The name is any string. The value is of a type that conforms to ``SettingsValue``, has a raw
/// value of one, or is `Codable`; in that order, where it is several of these.
public struct SettingsKey<Value: Sendable>: Sendable {
  @usableFromInline let id: SettingsName
  /// The value where none is stored, or none of this type.
  public let defaultValue: Value

  @usableFromInline let coding: SettingsCoding<Value>

  /// What the setting is called in the property list.
  public var name: String { id.string }

  @usableFromInline
  init(name: String, defaultValue: Value, coding: SettingsCoding<Value>) {
    self.id = SettingsName(name)
    self.defaultValue = defaultValue
    self.coding = coding
  }
}

extension SettingsKey where Value: SettingsValue {
  /// A setting that is stored as it is.
  @inlinable
  public init(_ name: String, default defaultValue: Value) {
    self.init(name: name, defaultValue: defaultValue, coding: .direct)
  }

  /// An optional setting that is stored as it is.
  public init<Wrapped: SettingsValue>(_ name: String) where Value == Wrapped? {
    self.init(name: name, defaultValue: nil, coding: .optional(.direct))
  }
}

extension SettingsKey where Value: RawRepresentable, Value.RawValue: SettingsValue {
  /// A setting that is stored by its raw value.
  public init(_ name: String, default defaultValue: Value) {
    self.init(name: name, defaultValue: defaultValue, coding: .raw)
  }
}

extension SettingsKey
where Value: SettingsValue & RawRepresentable, Value.RawValue: SettingsValue {
  /// A setting that is stored as it is, though it has a raw value too.
  public init(_ name: String, default defaultValue: Value) {
    self.init(name: name, defaultValue: defaultValue, coding: .direct)
  }
}

extension SettingsKey where Value: Codable {
  /// A setting that is stored as it encodes itself.
  @_disfavoredOverload
  public init(_ name: String, default defaultValue: Value) {
    self.init(name: name, defaultValue: defaultValue, coding: .codable)
  }
}

extension SettingsKey {
  /// An optional setting that is stored by its raw value.
  public init<Wrapped: RawRepresentable>(_ name: String)
  where Value == Wrapped?, Wrapped.RawValue: SettingsValue, Wrapped: Sendable {
    self.init(name: name, defaultValue: nil, coding: .optional(.raw))
  }

  /// An optional setting that is stored as it is, though it has a raw value too.
  public init<Wrapped: SettingsValue & RawRepresentable>(_ name: String)
  where Value == Wrapped?, Wrapped.RawValue: SettingsValue {
    self.init(name: name, defaultValue: nil, coding: .optional(.direct))
  }

  /// An optional setting that is stored as it encodes itself.
  @_disfavoredOverload
  public init<Wrapped: Codable & Sendable>(_ name: String) where Value == Wrapped? {
    self.init(name: name, defaultValue: nil, coding: .optional(.codable))
  }
}
