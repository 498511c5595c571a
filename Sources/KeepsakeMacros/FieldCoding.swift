#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
import KeepsakeCoding

/// A form in which one property is stored: see ``Coded(_:)``.
///
/// ```swift
/// struct Cents: FieldCoding {
///   func value(from stored: Double) -> Int? { Int((stored * 100).rounded()) }
///   func stored(_ value: Int) -> Double { Double(value) / 100 }
/// }
///
/// @Coded(Cents()) var price: Int
/// ```
public protocol FieldCoding<Value>: Sendable {
  /// The type of the property.
  associatedtype Value
  /// What is stored.
  associatedtype Stored: Codable

  /// Creates a value from what is stored.
  ///
  /// - Returns: `nil` if what is stored does not stand for a value; decoding throws
  ///   `DecodingError.dataCorrupted` then.
  func value(from stored: Stored) throws -> Value?

  /// What is stored for a value.
  func stored(_ value: Value) throws -> Stored
}

/// A date as RFC 3339 text, such as `2026-11-25T10:20:30Z`, with any fraction of a second.
public struct ISO8601FieldCoding: FieldCoding {
  /// The value that a stored one stands for; `nil` if it is none.
  public func value(from stored: String) -> Date? { ISO8601.date(stored) }

  /// What is stored for a value.
  public func stored(_ value: Date) -> String { ISO8601.text(of: value) }
}

/// A date as seconds or milliseconds since 1970-01-01T00:00:00Z.
public struct UnixTimeFieldCoding: FieldCoding {
  let unit: Double

  /// The value that a stored one stands for; `nil` if it is none.
  public func value(from stored: Double) -> Date? { Date(timeIntervalSince1970: stored / unit) }

  /// What is stored for a value.
  public func stored(_ value: Date) -> Double { value.timeIntervalSince1970 * unit }
}

/// A value as its description, such as a number as text.
public struct TextFieldCoding<Value: LosslessStringConvertible>: FieldCoding {
  /// The value that a stored one stands for; `nil` if it is none.
  public func value(from stored: String) -> Value? { Value(stored) }

  /// What is stored for a value.
  public func stored(_ value: Value) -> String { value.description }
}

/// A value as text in a format, such as a date without a time.
public struct FormatFieldCoding<Format: ParseableFormatStyle & Sendable>: FieldCoding
where Format.FormatOutput == String, Format.Strategy.ParseInput == String {
  let format: Format

  /// The value that a stored one stands for; `nil` if it is none.
  public func value(from stored: String) throws -> Format.FormatInput? {
    try format.parseStrategy.parse(stored)
  }

  /// What is stored for a value.
  public func stored(_ value: Format.FormatInput) -> String { format.format(value) }
}

/// Data as base64 text (RFC 4648, section 4) in every format and with every strategy.
public struct Base64FieldCoding: FieldCoding {
  /// The value that a stored one stands for; `nil` if it is none.
  public func value(from stored: String) -> Data? { Data(base64Encoded: stored) }

  /// What is stored for a value.
  public func stored(_ value: Data) -> String { value.base64EncodedString() }
}

extension FieldCoding where Self == ISO8601FieldCoding {
  /// A date as RFC 3339 text.
  public static var iso8601: Self { Self() }
}

extension FieldCoding where Self == UnixTimeFieldCoding {
  /// A date as seconds since 1970-01-01T00:00:00Z.
  public static var secondsSince1970: Self { Self(unit: 1) }
  /// A date as milliseconds since 1970-01-01T00:00:00Z.
  public static var millisecondsSince1970: Self { Self(unit: 1000) }
}

extension FieldCoding where Self == Base64FieldCoding {
  /// Data as base64 text.
  public static var base64: Self { Self() }
}

extension FieldCoding {
  /// A value as its description: `.text(of: Double.self)` for `"101.9000"`.
  public static func text<Value>(of type: Value.Type) -> Self
  where Self == TextFieldCoding<Value> { Self() }

  /// A value as text in a format: `.format(Date.ISO8601FormatStyle().year().month().day())` for
  /// `"2026-11-25"`.
  public static func format<Format>(_ format: Format) -> Self
  where Self == FormatFieldCoding<Format> { Self(format: format) }
}
