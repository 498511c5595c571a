public import KeepsakeCoding

/// A type whose values can be stored directly as settings.
///
/// The property-list types conform, as do numbers, `URL`, `UUID`, `Decimal`, arrays and
/// string-keyed dictionaries of conforming types, and optionals. An enumeration with a raw value,
/// or any `Codable` type, can be stored without conforming; see ``SettingsKey``.
public protocol SettingsValue: Sendable {
  /// Creates a value from a stored one, or returns `nil` if that has another type.
  init?(propertyList: PropertyList.Value)

  /// The form in which the value is stored; `nil` removes the stored value.
  var propertyList: PropertyList.Value? { get }
}
