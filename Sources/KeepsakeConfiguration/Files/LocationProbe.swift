#if Configuration
import KeepsakeCoding

/// Finds a value in a file: it goes down to it and asks for a type that it is not, so that the
/// decoder says where it stands.
struct LocationProbe: Decodable {
  static let pathKey = CodingUserInfoKey(rawValue: "path")!

  private struct Nothing: Decodable {
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
      _ = try container.decode(Nothing.self)
    } else if let last = path.last {
      let container = try Self.dictionary(decoder, path.dropLast())
      _ = try container.decode(Nothing.self, forKey: AnyCodingKey(stringValue: last))
    } else {
      _ = try Nothing(from: decoder)
    }
  }

  /// A step to an element of an array, as against one to a dictionary's value.
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
