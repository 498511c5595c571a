#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PropertyList.Value {
  /// The same value without nulls, which no property list has; `nil` for a null.
  ///
  /// A number that no type can represent becomes a string with its digits. Of two members with one key
  /// the first counts.
  package init?(_ json: JSON.Value) {
    switch json {
    case .null: return nil
    case .bool(let value): self = .boolean(value)
    case .string(let text): self = .string(text)
    case .array(let elements): self = .array(elements.compactMap { PropertyList.Value($0) })
    case .object(let object):
      var members = [String: PropertyList.Value](minimumCapacity: object.count)
      for (key, value) in object where members[key] == nil {
        members[key] = PropertyList.Value(value)
      }
      self = .dictionary(members)
    case .number(let number):
      if let integer = number.integer(as: Int64.self) {
        self = .integer(integer)
      } else if let integer = number.integer(as: UInt64.self) {
        self = .unsigned(integer)
      } else if let double = number.double {
        self = .real(double)
      } else {
        self = .string(number.text)
      }
    }
  }
}

extension JSON.Value {
  /// Whether it is a null, or contains one at any depth, which no property list can.
  package var containsNull: Bool {
    switch self {
    case .null: true
    case .bool, .number, .string: false
    case .array(let elements): elements.contains(where: \.containsNull)
    case .object(let object): object.contains { $0.value.containsNull }
    }
  }

  /// The same value: a date as in ISO 8601, data in Base64, and a number that JSON cannot represent as a
  /// string. The keys are sorted.
  ///
  /// - Parameter isMarked: Whether such a string begins with its type, `date`, `data` or `real`, so that it
  ///   differs from one that has the same text.
  package init(_ propertyList: PropertyList.Value, isMarked: Bool = false) {
    func text(_ type: String, _ text: String) -> JSON.Value {
      .string(isMarked ? "\(type) \(text)" : text)
    }
    switch propertyList {
    case .string(let text): self = .string(text)
    case .integer(let number): self = .number(JSON.Number(number))
    case .unsigned(let number): self = .number(JSON.Number(number))
    case .real(let number):
      self = JSON.Number(number).map { .number($0) } ?? text("real", "\(number)")
    case .boolean(let value): self = .bool(value)
    case .date(let date): self = text("date", ISO8601.text(of: date))
    case .data(let data): self = text("data", data.base64EncodedString())
    case .array(let elements):
      self = .array(elements.map { JSON.Value($0, isMarked: isMarked) })
    case .dictionary(let members):
      var object = JSON.Object(minimumCapacity: members.count)
      for (key, value) in members.sorted(by: { PropertyList.precedes($0.key, $1.key) }) {
        object[key] = JSON.Value(value, isMarked: isMarked)
      }
      self = .object(object)
    }
  }
}
