public import KeepsakeCoding

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension PropertyList.Value: SettingsValue {
  /// Accepts any property-list value unchanged.
  @inlinable
  public init?(propertyList: PropertyList.Value) { self = propertyList }
  /// The value itself.
  @inlinable public var propertyList: PropertyList.Value? { self }
}

extension String: SettingsValue {
  /// Reads a string.
  @inlinable
  public init?(propertyList: PropertyList.Value) {
    guard case .string(let string) = propertyList else { return nil }
    self = string
  }
  /// A string.
  @inlinable public var propertyList: PropertyList.Value? { .string(self) }
}

extension Bool: SettingsValue {
  /// Reads a Boolean, or the number 0 or 1, which older property lists use instead.
  @inlinable
  public init?(propertyList: PropertyList.Value) {
    switch propertyList {
    case .boolean(let flag): self = flag
    case .integer(0): self = false
    case .integer(1): self = true
    default: return nil
    }
  }
  /// A Boolean.
  @inlinable public var propertyList: PropertyList.Value? { .boolean(self) }
}

extension SettingsValue where Self: FixedWidthInteger {
  /// Reads a whole number that the type can represent.
  @inlinable
  public init?(propertyList: PropertyList.Value) {
    switch propertyList {
    case .integer(let number): self.init(exactly: number)
    case .unsigned(let number): self.init(exactly: number)
    case .real(let number): self.init(exactly: number)
    default: return nil
    }
  }

  /// A whole number.
  @inlinable public var propertyList: PropertyList.Value? {
    if let number = Int64(exactly: self) { return .integer(number) }
    return UInt64(exactly: self).map { .unsigned($0) }
  }
}

extension Int: SettingsValue {}
extension Int8: SettingsValue {}
extension Int16: SettingsValue {}
extension Int32: SettingsValue {}
extension Int64: SettingsValue {}
extension UInt: SettingsValue {}
extension UInt8: SettingsValue {}
extension UInt16: SettingsValue {}
extension UInt32: SettingsValue {}
extension UInt64: SettingsValue {}

extension Double: SettingsValue {
  /// Reads a number.
  @inlinable
  public init?(propertyList: PropertyList.Value) {
    switch propertyList {
    case .real(let number): self = number
    case .integer(let number): self = Double(number)
    case .unsigned(let number): self = Double(number)
    default: return nil
    }
  }
  /// A floating-point number.
  @inlinable public var propertyList: PropertyList.Value? { .real(self) }
}

extension Float: SettingsValue {
  /// Reads a number, rounded to the nearest value of the type.
  @inlinable
  public init?(propertyList: PropertyList.Value) {
    guard let number = Double(propertyList: propertyList) else { return nil }
    self = Float(number)
  }
  /// A floating-point number.
  @inlinable public var propertyList: PropertyList.Value? { .real(Double(self)) }
}

extension Data: SettingsValue {
  /// Reads bytes.
  @inlinable
  public init?(propertyList: PropertyList.Value) {
    guard case .data(let data) = propertyList else { return nil }
    self = data
  }
  /// Bytes.
  @inlinable public var propertyList: PropertyList.Value? { .data(self) }
}

extension Date: SettingsValue {
  /// Reads a date, or the number of seconds since 1 January 2001 (UTC).
  @inlinable
  public init?(propertyList: PropertyList.Value) {
    switch propertyList {
    case .date(let date): self = date
    case .real(let seconds): self.init(timeIntervalSinceReferenceDate: seconds)
    case .integer(let seconds): self.init(timeIntervalSinceReferenceDate: Double(seconds))
    default: return nil
    }
  }

  /// A date; if it has fractional seconds, which the format's dates cannot represent, the number of
  /// seconds, so that no precision is lost.
  @inlinable public var propertyList: PropertyList.Value? {
    let seconds = timeIntervalSinceReferenceDate
    // Every reader of the format supports the years 1 to 9999.
    let isPlain = seconds == seconds.rounded() && (-63_114_076_800..<252_423_993_600) ~= seconds
    return isPlain ? .date(self) : .real(seconds)
  }
}

extension URL: SettingsValue {
  /// Reads a URL from a string.
  @inlinable
  public init?(propertyList: PropertyList.Value) {
    guard case .string(let string) = propertyList else { return nil }
    self.init(string: string)
  }
  /// The URL as a string, in full.
  @inlinable public var propertyList: PropertyList.Value? { .string(absoluteString) }
}

extension UUID: SettingsValue {
  /// Reads a UUID from a string.
  @inlinable
  public init?(propertyList: PropertyList.Value) {
    guard case .string(let string) = propertyList else { return nil }
    self.init(uuidString: string)
  }
  /// The UUID as a string.
  @inlinable public var propertyList: PropertyList.Value? { .string(uuidString) }
}

extension Decimal: SettingsValue {
  /// Reads a decimal number from a string, exactly, or a whole number.
  @inlinable
  public init?(propertyList: PropertyList.Value) {
    switch propertyList {
    case .string(let string):
      if string == "NaN" {
        self = .nan
      } else {
        guard string.isDecimalNumber else { return nil }
        self.init(string: string)
      }
    case .integer(let number): self = Decimal(number)
    case .unsigned(let number): self = Decimal(number)
    default: return nil
    }
  }
  /// The number as a string, with all its digits.
  @inlinable public var propertyList: PropertyList.Value? { .string(description) }
}

extension String {
  /// Whether the whole string is a decimal number; Foundation would accept a valid prefix too.
  @usableFromInline
  var isDecimalNumber: Bool {
    var digits = self[...]
    if digits.first == "-" || digits.first == "+" { digits.removeFirst() }
    let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    return !parts.isEmpty && !parts[0].isEmpty
      && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { ("0"..."9") ~= $0 } }
  }
}

extension Array: SettingsValue where Element: SettingsValue {
  /// Reads an array whose elements all have the element type.
  @inlinable
  public init?(propertyList: PropertyList.Value) {
    guard case .array(let values) = propertyList else { return nil }
    self = []
    reserveCapacity(values.count)
    for value in values {
      guard let element = Element(propertyList: value) else { return nil }
      append(element)
    }
  }
  /// An array; elements that store nothing are omitted.
  @inlinable public var propertyList: PropertyList.Value? { .array(compactMap(\.propertyList)) }
}

extension Dictionary: SettingsValue where Key == String, Value: SettingsValue {
  /// Reads a dictionary whose values all have the value type.
  @inlinable
  public init?(propertyList: PropertyList.Value) {
    guard case .dictionary(let values) = propertyList else { return nil }
    self = [:]
    for (key, stored) in values {
      guard let value = Value(propertyList: stored) else { return nil }
      self[key] = value
    }
  }
  /// A dictionary; values that store nothing are omitted.
  @inlinable public var propertyList: PropertyList.Value? {
    .dictionary(compactMapValues(\.propertyList))
  }
}

extension Optional: SettingsValue where Wrapped: SettingsValue {
  /// Reads a value of the wrapped type.
  @inlinable
  public init?(propertyList: PropertyList.Value) {
    guard let wrapped = Wrapped(propertyList: propertyList) else { return nil }
    self = wrapped
  }
  /// The wrapped value's stored form; `nil` removes the key.
  @inlinable public var propertyList: PropertyList.Value? { flatMap(\.propertyList) }
}
