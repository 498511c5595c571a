public import KeepsakeCoding

/// A type whose values can be kept as settings as they are.
///
/// The property-list types conform, as do numbers, `URL`, `UUID`, `Decimal`, arrays and
/// string-keyed dictionaries of conforming types, and optionals. An enumeration with a raw value, and
/// any `Codable` type, can be kept without conforming: see ``SettingsKey``.
public protocol SettingsValue: Sendable {
  /// Makes a value from what is stored, or gives `nil` where that is something else.
  init?(propertyList: PropertyList.Value)

  /// What is stored for the value; `nil` stores nothing and removes what was there.
  var propertyList: PropertyList.Value? { get }
}
