import Foundation
import KeepsakeCoding
import Testing

/// Keys that are a byte have their texts remembered while a coding lasts.
@Suite("Keys that are cases")
struct KeyTextTests {
  private class Base: Encodable {
    var name = "base"
    var size = 1

    enum CodingKeys: CodingKey { case name, size }
  }

  private final class Derived: Base {
    var name2 = "derived"
    var color = "red"

    enum CodingKeys: String, CodingKey { case name2 = "name", color }

    override func encode(to encoder: any Encoder) throws {
      try super.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name2, forKey: .name2)
      try container.encode(color, forKey: .color)
    }
  }

  @Test("of two types in one object may be the same key") func ofTwoTypesInOneObjectMay() throws {
    // The first objects are written before any text is remembered, the others after.
    let text = try encoded((0..<5).map { _ in Derived() })
    #expect(
      text
        == "["
        + repeatElement(#"{"name":"derived","size":1,"color":"red"}"#, count: 5)
        .joined(separator: ",") + "]")
    EncoderPair().expectSame((0..<5).map { _ in Derived() })
  }

  private struct Similar: Codable, Equatable {
    var myURL = 1
    var myUrl = 2
    var other = 3
  }

  @Test("may become the same by a strategy") func mayBecomeTheSameByAStrategy() throws {
    let text = try encoded((0..<4).map { _ in Similar() }) {
      $0.keyEncodingStrategy = .convertToSnakeCase
    }
    #expect(
      text
        == "[" + repeatElement(#"{"my_url":2,"other":3}"#, count: 4).joined(separator: ",") + "]")
  }

  private struct Twice: Encodable {
    enum CodingKeys: CodingKey { case a, b }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(1, forKey: .a)
      try container.encode(2, forKey: .b)
      try container.encode(3, forKey: .a)
      // The same keys through another container, one of them nested.
      var again = encoder.container(keyedBy: CodingKeys.self)
      try again.encode(4, forKey: .b)
    }
  }

  @Test("count by their last value in an object that has them twice") func countByTheirLastValue()
    throws
  {
    #expect(
      try encoded([Twice(), Twice(), Twice()]) == #"[{"a":3,"b":4},{"a":3,"b":4},{"a":3,"b":4}]"#)
    #expect(
      try encoded([Twice(), Twice(), Twice()]) { $0.outputFormatting = .sortedKeys }
        == #"[{"a":3,"b":4},{"a":3,"b":4},{"a":3,"b":4}]"#)
  }

  private struct Fails: Encodable {
    struct Refused: Error {}

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(0, forKey: .first)
      try? container.encode(Encoding { _ in throw Refused() }, forKey: .second)
      try container.encode(2, forKey: .second)
    }

    enum Key: CodingKey { case first, second }
  }

  @Test("are there once if their first value has failed") func areThereOnceIfTheirFirstValue()
    throws
  {
    #expect(
      try encoded((0..<3).map { _ in Fails() })
        == "[" + repeatElement(#"{"first":0,"second":2}"#, count: 3).joined(separator: ",") + "]")
  }

  /// Its name changes with the weather.
  private struct Weathered: Codable {
    @TaskLocal static var prefix = ""

    enum Key: CodingKey {
      case value
      var stringValue: String { Weathered.prefix + "value" }
    }

    init() {}

    init(from decoder: any Decoder) throws {
      _ = try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .value)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(1, forKey: .value)
    }
  }

  @Test("may have other names the next time") func mayHaveOtherNamesTheNextTime() throws {
    let values = (0..<3).map { _ in Weathered() }
    let encoder = JSON.Encoder()
    let decoder = JSON.Decoder()
    for prefix in ["", "rain ", "sun "] {
      try Weathered.$prefix.withValue(prefix) {
        let text = try encoder.encodeToBytes(values)
        let entry = "{\"\(prefix)value\":1}"
        #expect(String(decoding: text, as: UTF8.self) == "[\(entry),\(entry),\(entry)]")
        #expect(try decoder.decode([Weathered].self, from: text).count == 3)
      }
    }
  }

  private struct Single: Codable, Equatable {
    var only: [Double]
  }

  @Test("may be the only case, which is no byte at all") func mayBeTheOnlyCase() throws {
    let values = [Single(only: [1]), Single(only: [2]), Single(only: [.nan])]
    #expect(try encoded(Array(values.dropLast())) == #"[{"only":[1]},{"only":[2]}]"#)
    let error = #expect(throws: EncodingError.self) { try encoded(values) }
    guard case .invalidValue(_, let context)? = error else { return }
    #expect(context.codingPath.map(\.stringValue) == ["Index 2", "only", "Index 0"])
    let bytes = Array(#"[{"only":[1]},{"only":[]},{"only":[2]}]"#.utf8)
    #expect(
      try JSON.Decoder().decode([Single].self, from: bytes)
        == [Single(only: [1]), Single(only: []), Single(only: [2])])
  }

  /// A key for each byte, some of them with names that are long or need escapes.
  private struct Byte: CodingKey {
    let byte: UInt8

    init(byte: UInt8) { self.byte = byte }
    init?(stringValue: String) { nil }
    init?(intValue: Int) { nil }

    var intValue: Int? { nil }
    var stringValue: String {
      switch byte % 4 {
      case 0: "k\(byte)"
      case 1: "é\"/\(byte)"
      case 2: String(repeating: "l", count: 30 + Int(byte) / 8) + "\(byte)"
      default: "\(byte)"
      }
    }
  }

  private struct Bytes: Codable, Equatable {
    var values: [UInt8]

    init(_ values: some Sequence<UInt8>) { self.values = Array(values) }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Byte.self)
      for value in values { try container.encode(value, forKey: Byte(byte: value)) }
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Byte.self)
      values = []
      for byte in UInt8.min ... .max {
        if let value = try container.decodeIfPresent(UInt8.self, forKey: Byte(byte: byte)) {
          #expect(value == byte)
          values.append(value)
        }
      }
    }
  }

  @Test("may be of any byte, and of any length") func mayBeOfAnyByte() throws {
    let values = [
      Bytes(0...255), Bytes(0...20), Bytes(200...255), Bytes(0...255), Bytes(60...70),
      Bytes(30...50), Bytes(0...255),
    ]
    EncoderPair().expectSame(values)
    let data = try JSON.Encoder().encode(values)
    #expect(try JSON.Decoder().decode([Bytes].self, from: data) == values)
    #expect(try Foundation.JSONDecoder().decode([Bytes].self, from: data) == values)
  }

  @Test("are those of the type, though others have the same bytes") func areThoseOfTheType() throws
  {
    struct One: Codable, Equatable { var first = 1, second = 2 }
    struct Two: Codable, Equatable { var third = 3, fourth = 4 }
    struct Both: Codable, Equatable {
      var one = [One(), One(), One()]
      var two = [Two(), Two(), Two()]
      var three = [One()]
    }
    EncoderPair().expectSame([Both(), Both()])
    let data = try JSON.Encoder().encode([Both(), Both()])
    #expect(try JSON.Decoder().decode([Both].self, from: data) == [Both(), Both()])
  }
}
