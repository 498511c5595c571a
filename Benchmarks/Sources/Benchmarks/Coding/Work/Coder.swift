import Foundation
import Keepsake

/// One way between a value and its bytes, measured beside the others.
struct Coder<Value: Codable & Equatable> {
  let name: String
  let decode: (Data) throws -> Value
  let encode: (Value) throws -> Data
}

extension Coder {
  static var keepsake: String { "Keepsake" }
  static var foundation: String { "Foundation" }

  /// Both packages' coders for JSON, as they are before anything is set.
  static var json: [Coder] {
    let decoder = KeepsakeJSONDecoder()
    let encoder = KeepsakeJSONEncoder()
    let foundationDecoder = JSONDecoder()
    let foundationEncoder = JSONEncoder()
    return [
      Coder(
        name: keepsake, decode: { try decoder.decode(Value.self, from: $0) },
        encode: { try encoder.encode($0) }),
      Coder(
        name: foundation, decode: { try foundationDecoder.decode(Value.self, from: $0) },
        encode: { try foundationEncoder.encode($0) }),
    ]
  }

  /// Both packages' coders for a property list's format.
  static func propertyList(_ format: PropertyListSerialization.PropertyListFormat) -> [Coder] {
    let decoder = KeepsakePropertyListDecoder()
    let encoder = KeepsakePropertyListEncoder()
    encoder.outputFormat = format == .xml ? .xml : .binary
    let foundationDecoder = PropertyListDecoder()
    let foundationEncoder = PropertyListEncoder()
    foundationEncoder.outputFormat = format
    return [
      Coder(
        name: keepsake, decode: { try decoder.decode(Value.self, from: $0) },
        encode: { try encoder.encode($0) }),
      Coder(
        name: foundation, decode: { try foundationDecoder.decode(Value.self, from: $0) },
        encode: { try foundationEncoder.encode($0) }),
    ]
  }
}

extension Coder {
  /// Decodes the same bytes over and over.
  ///
  /// - Parameter value: What must come of it.
  func decoding(_ data: Data, to value: Value) throws -> Contestant {
    guard try decode(data) == value else { throw WrongResult(name: name) }
    return Contestant(name: name) { count in
      try Clock.thread.time(of: count) { _ in Sink.take(try decode(data)) }
    }
  }

  /// Encodes the same value over and over.
  func encoding(_ value: Value) throws -> Contestant {
    guard try decode(encode(value)) == value else { throw WrongResult(name: name) }
    return Contestant(name: name) { count in
      try Clock.thread.time(of: count) { _ in Sink.take(try encode(value)) }
    }
  }
}

/// A coder gave something else than what went in.
struct WrongResult: Error { let name: String }
