#if Configuration
import KeepsakeCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A type that is decoded from one value of a file, or from the text of an argument or a variable.
protocol ConfigurationScalar {
  init?(configured value: PropertyList.Value)
  init?(configured text: String)
  /// The value in place of a missing or wrong one while errors are collected.
  static var placeholder: Self { get }
}

extension ConfigurationScalar {
  /// - Parameter isUntyped: Whether a string is read as the text of an argument is.
  init?(configured value: PropertyList.Value, isUntyped: Bool) {
    if let scalar = Self(configured: value) {
      self = scalar
    } else if isUntyped, case .string(let text) = value {
      self.init(configured: text)
    } else {
      return nil
    }
  }

  init?(configured text: TextLayer.Text) {
    // An argument without a value means true.
    if text.parts.isEmpty {
      self.init(configured: .boolean(true))
    } else if let whole = text.whole {
      self.init(configured: whole)
    } else {
      return nil
    }
  }
}

extension String: ConfigurationScalar {
  init?(configured value: PropertyList.Value) {
    guard case .string(let text) = value else { return nil }
    self = text
  }
  init?(configured text: String) { self = text }
  static var placeholder: String { "" }
}

extension Bool: ConfigurationScalar {
  init?(configured value: PropertyList.Value) {
    guard case .boolean(let boolean) = value else { return nil }
    self = boolean
  }
  init?(configured text: String) {
    switch text.lowercased() {
    case "true", "yes", "1": self = true
    case "false", "no", "0": self = false
    default: return nil
    }
  }
  static var placeholder: Bool { false }
}

extension ConfigurationScalar where Self: FixedWidthInteger {
  init?(configured value: PropertyList.Value) {
    switch value {
    case .integer(let number): self.init(exactly: number)
    case .unsigned(let number): self.init(exactly: number)
    case .real(let number): self.init(exactly: number)
    default: return nil
    }
  }
  init?(configured text: String) { self.init(text, radix: 10) }
  static var placeholder: Self { 0 }
}

extension Int: ConfigurationScalar {}
extension Int8: ConfigurationScalar {}
extension Int16: ConfigurationScalar {}
extension Int32: ConfigurationScalar {}
extension Int64: ConfigurationScalar {}
extension UInt: ConfigurationScalar {}
extension UInt8: ConfigurationScalar {}
extension UInt16: ConfigurationScalar {}
extension UInt32: ConfigurationScalar {}
extension UInt64: ConfigurationScalar {}

extension ConfigurationScalar where Self: BinaryFloatingPoint & LosslessStringConvertible {
  init?(configured value: PropertyList.Value) {
    switch value {
    case .integer(let number): self.init(number)
    case .unsigned(let number): self.init(number)
    case .real(let number): self.init(number)
    default: return nil
    }
  }
  init?(configured text: String) { self.init(text) }
  static var placeholder: Self { 0 }
}

extension Double: ConfigurationScalar {}
extension Float: ConfigurationScalar {}

extension Decimal: ConfigurationScalar {
  init?(configured value: PropertyList.Value) {
    switch value {
    case .integer(let number): self.init(number)
    case .unsigned(let number): self.init(number)
    // With the shortest digits: 0.1 is a tenth.
    case .real(let number): self.init(configured: "\(number)")
    case .string(let text): self.init(configured: text)
    default: return nil
    }
  }
  init?(configured text: String) {
    guard Double(text) != nil, let value = Decimal(string: text) else { return nil }
    self = value
  }
  static var placeholder: Decimal { 0 }
}

extension Date: ConfigurationScalar {
  init?(configured value: PropertyList.Value) {
    switch value {
    case .date(let date): self = date
    case .string(let text): self.init(configured: text)
    default: return nil
    }
  }
  init?(configured text: String) {
    guard let date = try? Date(text, strategy: .iso8601) else { return nil }
    self = date
  }
  static var placeholder: Date { Date(timeIntervalSinceReferenceDate: 0) }
}

extension Data: ConfigurationScalar {
  init?(configured value: PropertyList.Value) {
    switch value {
    case .data(let data): self = data
    case .string(let text): self.init(configured: text)
    default: return nil
    }
  }
  init?(configured text: String) { self.init(base64Encoded: text) }
  static var placeholder: Data { Data() }
}

extension URL: ConfigurationScalar {
  init?(configured value: PropertyList.Value) {
    guard case .string(let text) = value else { return nil }
    self.init(configured: text)
  }
  init?(configured text: String) { self.init(string: text) }
  static var placeholder: URL { URL(filePath: "/") }
}

extension UUID: ConfigurationScalar {
  init?(configured value: PropertyList.Value) {
    guard case .string(let text) = value else { return nil }
    self.init(configured: text)
  }
  init?(configured text: String) { self.init(uuidString: text) }
  static var placeholder: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
}
#endif
