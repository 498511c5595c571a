#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension JSON.Value: Encodable {
  /// Encodes the value into any format.
  ///
  /// ``JSON/Encoder`` writes it exactly; for others a number becomes the first of `Int64`,
  /// `UInt64`, `Double` and `Decimal` that holds it.
  public func encode(to encoder: any Swift.Encoder) throws {
    if case .object(let object) = self {
      var container = encoder.container(keyedBy: AnyCodingKey.self)
      for (key, value) in object {
        try container.encode(value, forKey: AnyCodingKey(stringValue: key))
      }
      return
    }
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .string(let text): try container.encode(text)
    case .array(let array): try container.encode(array)
    case .number(let number):
      if let value = number.integer(as: Int64.self) {
        try container.encode(value)
      } else if let value = number.integer(as: UInt64.self) {
        try container.encode(value)
      } else if let value = number.double, JSON.Number(value) == number {
        try container.encode(value)
      } else if let value = number.decimal {
        try container.encode(value)
      } else {
        throw EncodingError.invalidValue(
          number,
          EncodingError.Context(
            codingPath: encoder.codingPath,
            debugDescription: "The number \(number) fits no number of the format."))
      }
    case .object: break
    }
  }
}

extension JSON.Value: DirectlyEncodable {
  static func encode(
    at value: UnsafeRawPointer, with handle: EncodingHandle, key: EncodingFrame.Key,
    entry: EncodingMark
  ) throws {
    let value = value.assumingMemoryBound(to: Self.self).pointee
    guard handle.state.pointee.options.format == .json else {
      return try value.encode(to: ValueEncoder(handle: handle))
    }
    switch value {
    case .null: handle.state.pointee.writer.writeNull()
    case .bool(let value): handle.state.pointee.writer.write(value)
    case .number(let number): handle.state.pointee.writer.writeUnescaped(number.text)
    case .string(let text): handle.state.pointee.writer.write(text)
    case .array(let array): try handle.encode(array, at: key, entry: entry)
    case .object(let object):
      try handle.scope(at: key, entry: entry) { handle in
        try handle.open(.object)
        for (key, value) in object { try handle.encodeEntry(key, value) }
      }
    }
  }
}
