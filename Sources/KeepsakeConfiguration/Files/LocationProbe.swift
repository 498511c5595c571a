#if Configuration
import KeepsakeCoding

/// Finds the location of a value in a file: decodes it as a type that it does not have, so that the
/// decoder's error contains the location.
struct LocationProbe: Decodable {
  static let pathKey = CodingUserInfoKey(rawValue: "path")!

  private struct Mismatch: Decodable {
    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if (try? container.decode(Bool.self)) != nil {
        _ = try container.decode(String.self)
      } else {
        _ = try container.decode(Bool.self)
      }
    }
  }

  init(from decoder: any Decoder) throws {
    let path = decoder.userInfo[Self.pathKey] as? [String] ?? []
    if let last = path.last, let index = Self.index(last) {
      var container = try Self.array(decoder, path.dropLast())
      for _ in 0..<index { _ = try container.superDecoder() }
      _ = try container.decode(Mismatch.self)
    } else if let last = path.last {
      let container = try Self.dictionary(decoder, path.dropLast())
      _ = try container.decode(Mismatch.self, forKey: AnyCodingKey(stringValue: last))
    } else {
      _ = try Mismatch(from: decoder)
    }
  }

  /// A step to an element of an array, which differs from all keys of dictionaries.
  static func step(_ index: Int) -> String { "\u{0}\(index)" }

  private static func index(_ step: String) -> Int? {
    step.hasPrefix("\u{0}") ? Int(step.dropFirst()) : nil
  }

  private static func dictionary(
    _ decoder: any Decoder, _ path: ArraySlice<String>
  ) throws -> KeyedDecodingContainer<AnyCodingKey> {
    try inner(decoder, path).container(keyedBy: AnyCodingKey.self)
  }

  private static func array(
    _ decoder: any Decoder, _ path: ArraySlice<String>
  ) throws -> any UnkeyedDecodingContainer {
    try inner(decoder, path).unkeyedContainer()
  }

  private static func inner(
    _ decoder: any Decoder, _ path: ArraySlice<String>
  ) throws -> any Decoder {
    guard let last = path.last else { return decoder }
    guard let index = index(last) else {
      return try dictionary(decoder, path.dropLast())
        .superDecoder(forKey: AnyCodingKey(stringValue: last))
    }
    var container = try array(decoder, path.dropLast())
    for _ in 0..<index { _ = try container.superDecoder() }
    return try container.superDecoder()
  }
}
#endif
