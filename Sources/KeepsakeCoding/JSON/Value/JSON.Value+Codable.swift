#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension JSON.Value: Codable {
  /// Creates the value that a decoder of any format is at.
  ///
  /// ``JSON/Decoder`` hands over what it has read, exactly; ``PropertyList/Decoder`` says what
  /// there is; any other decoder is asked for one type after another.
  public init(from decoder: any Swift.Decoder) throws {
    if let decoder = decoder as? JSON.ValueDecoder {
      self = try decoder.entries.anyValue(decoder.index)
      return
    }
    if let decoder = decoder as? PropertyList.TapeDecoder {
      self = try Self.value(of: decoder)
      return
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .number(JSON.Number(value))
    } else if let value = try? container.decode(UInt64.self) {
      self = .number(JSON.Number(value))
    } else if let value = try? container.decode(Double.self), let number = JSON.Number(value) {
      self = .number(number)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSON.Value].self) {
      self = .array(value)
    } else {
      self = try Self.object(of: decoder)
    }
  }

  private static func object(of decoder: any Swift.Decoder) throws -> JSON.Value {
    let keyed = try decoder.container(keyedBy: AnyCodingKey.self)
    var object = JSON.Object()
    for key in keyed.allKeys {
      object[key.stringValue] = try keyed.decode(JSON.Value.self, forKey: key)
    }
    return .object(object)
  }

  /// What a property list has, without the errors of asking for what it has not, each of which
  /// takes the path to it.
  private static func value(of decoder: PropertyList.TapeDecoder) throws -> JSON.Value {
    if decoder.decodeNil() { return .null }
    switch decoder.kind {
    case .false, .true: return .bool(try decoder.decode(Bool.self))
    case .integer: return .number(JSON.Number(try decoder.decode(Int64.self)))
    case .unsigned: return .number(JSON.Number(try decoder.decode(UInt64.self)))
    case .string: return .string(try decoder.decode(String.self))
    case .array: return .array(try decoder.decode([JSON.Value].self))
    case .real:
      if let number = JSON.Number(try decoder.decode(Double.self)) { return .number(number) }
    case .null, .date, .data, .dictionary: break
    }
    // Of what JSON has not, this is an error.
    return try object(of: decoder)
  }

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

extension JSON.Value: JSON.DirectlyEncodable {
  static func encode(
    at value: UnsafeRawPointer, with handle: JSON.EncodingHandle, key: JSON.EncodingFrame.Key,
    entry: JSON.EncodingMark
  ) throws {
    switch value.assumingMemoryBound(to: Self.self).pointee {
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
