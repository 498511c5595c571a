#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension JSON.Value {
  /// Represents a property list, so that it can be merged and filled like JSON: each scalar is a string
  /// that begins with a letter for its type, and is exact.
  package init(tree value: PropertyList.Value) {
    switch value {
    case .string(let text): self = .string("s\(text)")
    case .integer(let number): self = .string("i\(number)")
    case .unsigned(let number): self = .string("u\(number)")
    case .real(let number): self = .string("r\(number.bitPattern)")
    case .boolean(let flag): self = .string(flag ? "t" : "f")
    case .date(let date):
      self = .string("d\(date.timeIntervalSinceReferenceDate.bitPattern)")
    case .data(let data): self = .string("b\(data.base64EncodedString())")
    case .array(let values): self = .array(values.map { JSON.Value(tree: $0) })
    case .dictionary(let values):
      var object = JSON.Object(minimumCapacity: values.count)
      for key in values.keys.sorted(by: PropertyList.precedes) {
        object[key] = values[key].map { JSON.Value(tree: $0) }
      }
      self = .object(object)
    }
  }
}

extension PropertyList.Value {
  /// The property list that ``JSON/Value/init(tree:)`` represented; `nil` for other JSON.
  package init?(tree: JSON.Value) {
    switch tree {
    case .null, .bool, .number: return nil
    case .string(let text):
      guard let scalar = Self(scalar: text) else { return nil }
      self = scalar
    case .array(let values):
      var array: [Self] = []
      array.reserveCapacity(values.count)
      for value in values {
        guard let element = Self(tree: value) else { return nil }
        array.append(element)
      }
      self = .array(array)
    case .object(let object):
      var dictionary = [String: Self](minimumCapacity: object.count)
      for (key, value) in object {
        guard let value = Self(tree: value) else { return nil }
        dictionary[key] = value
      }
      self = .dictionary(dictionary)
    }
  }

  private init?(scalar text: String) {
    let rest = text.utf8.dropFirst()
    let content = String(Substring(rest))
    let value: Self? =
      switch text.utf8.first {
      case UInt8(ascii: "s"): .string(content)
      case UInt8(ascii: "i"): Int64(content).map { .integer($0) }
      case UInt8(ascii: "u"): UInt64(content).map { .unsigned($0) }
      case UInt8(ascii: "r"): UInt64(content).map { .real(Double(bitPattern: $0)) }
      case UInt8(ascii: "t"): .boolean(true)
      case UInt8(ascii: "f"): .boolean(false)
      case UInt8(ascii: "d"):
        UInt64(content).map {
          .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: $0)))
        }
      case UInt8(ascii: "b"): Data(base64Encoded: content).map { .data($0) }
      default: nil
      }
    guard let value else { return nil }
    self = value
  }
}
