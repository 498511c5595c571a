#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PropertyList {
  /// A value that a property list can hold.
  ///
  /// The keys of a dictionary are compared as Swift compares strings, so two spellings of one
  /// key that are canonically equivalent are one key; each spelling is kept as it was written.
  public enum Value: Sendable, Hashable {
    /// Text.
    case string(String)
    /// A whole number.
    case integer(Int64)
    /// A whole number above `Int64.max`; a smaller one is an ``integer(_:)``.
    case unsigned(UInt64)
    /// A floating-point number.
    case real(Double)
    /// A Boolean.
    case boolean(Bool)
    /// A moment in time.
    case date(Date)
    /// Bytes.
    case data(Data)
    /// Values in order.
    case array([Value])
    /// Values by key.
    case dictionary([String: Value])
  }
}

extension PropertyList.Value: ExpressibleByStringLiteral {
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension PropertyList.Value: ExpressibleByIntegerLiteral {
  /// Creates a whole number.
  public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension PropertyList.Value: ExpressibleByFloatLiteral {
  /// Creates a floating-point number.
  public init(floatLiteral value: Double) { self = .real(value) }
}

extension PropertyList.Value: ExpressibleByBooleanLiteral {
  /// Creates a Boolean.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension PropertyList.Value: ExpressibleByArrayLiteral {
  /// Creates an array.
  public init(arrayLiteral elements: PropertyList.Value...) { self = .array(elements) }
}

extension PropertyList.Value: ExpressibleByDictionaryLiteral {
  /// Creates a dictionary; of two equal keys the last counts.
  public init(dictionaryLiteral elements: (String, PropertyList.Value)...) {
    self = .dictionary(Dictionary(elements) { _, last in last })
  }
}
