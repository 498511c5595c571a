import Foundation
import KeepsakeCoding
import Testing

@Suite("JSON.Encoder: values")
struct EncoderValueTests {
  private struct Point: Encodable {
    var x = 1
    var name = "a/b\"\\\n\u{1}é日"
    var weights: [String: Double] = ["z": 1.5, "a/b": 2]
    var missing: Int?
    var present: Int? = 4
  }

  private enum Shape: Encodable {
    case none
    case one(Int)
    case two(first: String, second: Point)
  }

  private class Base: Encodable { var base = 1 }

  private final class Nested: Base {
    private enum CodingKeys: CodingKey { case own }

    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(2, forKey: .own)
      try super.encode(to: container.superEncoder())
    }
  }

  private final class Merged: Base {
    private enum CodingKeys: CodingKey { case own }

    override func encode(to encoder: any Encoder) throws {
      try super.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(2, forKey: .own)
    }
  }

  private struct Everything: Encodable {
    var points = [Point(), Point()]
    var shapes: [Shape] = [.none, .one(3), .two(first: "q", second: Point())]
    var nested = Nested()
    var merged = Merged()
    var matrix: [[Int]] = [[], [1, 2]]
    var empty: [String: Int] = [:]
    var byNumber = [1: "a", 2: "b"]
    var alternating = [[1.5: "a"]]
    var optionals: [Int?] = [1, nil]
    var set: Set<Int> = [5]
    var url = URL(string: "https://a.b/c?d=e")
    var relative = URL(string: "c", relativeTo: URL(string: "https://a.b/"))
    var identifier = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    var data = Data([1, 2, 3, 255, 254, 253, 63, 62])
    var date = Date(timeIntervalSinceReferenceDate: 700_000_000.123)

    private enum CodingKeys: CodingKey {
      case points, shapes, nested, merged, matrix, empty, byNumber, alternating, optionals, set
      case url, relative, identifier, data, date
    }
  }

  @Test("are Foundation's bytes") func areFoundationsBytes() {
    let pair = EncoderPair()
    pair.expectSame(Everything())
    pair.foundation.outputFormatting.insert(.withoutEscapingSlashes)
    pair.keepsake.outputFormatting.insert(.withoutEscapingSlashes)
    pair.expectSame(Everything())
  }

  @Test("of every integer type are Foundation's bytes at every boundary")
  func ofEveryIntegerTypeAreFoundationsBytes() {
    func check<T: FixedWidthInteger & Encodable>(_ type: T.Type) {
      let pair = EncoderPair()
      var power: T = 1
      var values = [T.min, T.min + 1, 0, T.max - 1, T.max]
      while true {
        values += [power - 1, power, power + 1]
        let (next, overflows) = power.multipliedReportingOverflow(by: 10)
        if overflows { break }
        power = next
      }
      pair.expectSame(values)
      for value in values {
        pair.expectSame(value)
        pair.expectSame(["key": value])
        pair.expectSame(
          Encoding { encoder in
            var container = encoder.unkeyedContainer()
            try container.encode(value)
          })
      }
    }
    check(Int.self)
    check(Int8.self)
    check(Int16.self)
    check(Int32.self)
    check(Int64.self)
    check(Int128.self)
    check(UInt.self)
    check(UInt8.self)
    check(UInt16.self)
    check(UInt32.self)
    check(UInt64.self)
    check(UInt128.self)
  }

  /// Calls every method of a keyed container.
  private func encodeAll(_ container: inout KeyedEncodingContainer<NamedKey>) throws {
    try container.encodeNil(forKey: "nil")
    try container.encode(true, forKey: "bool")
    try container.encode("text", forKey: "string")
    try container.encode(1.5, forKey: "double")
    try container.encode(Float(0.1), forKey: "float")
    try container.encode(Int(-1), forKey: "int")
    try container.encode(Int8(-8), forKey: "int8")
    try container.encode(Int16(-16), forKey: "int16")
    try container.encode(Int32(-32), forKey: "int32")
    try container.encode(Int64(-64), forKey: "int64")
    try container.encode(Int128.min, forKey: "int128")
    try container.encode(UInt(1), forKey: "uint")
    try container.encode(UInt8(8), forKey: "uint8")
    try container.encode(UInt16(16), forKey: "uint16")
    try container.encode(UInt32(32), forKey: "uint32")
    try container.encode(UInt64(64), forKey: "uint64")
    try container.encode(UInt128.max, forKey: "uint128")
    try container.encode(Point(), forKey: "value")
    try container.encodeIfPresent(Bool?.some(true), forKey: "boolP")
    try container.encodeIfPresent(String?.none, forKey: "stringP")
    try container.encodeIfPresent(Double?.some(2), forKey: "doubleP")
    try container.encodeIfPresent(Float?.some(2), forKey: "floatP")
    try container.encodeIfPresent(UInt8?.some(2), forKey: "uint8P")
    try container.encodeIfPresent(Int128?.some(2), forKey: "int128P")
    try container.encodeIfPresent(Point?.none, forKey: "valueP")
    try container.encodeConditional(Base(), forKey: "object")
  }

  private func encodeAll(_ container: inout any UnkeyedEncodingContainer) throws {
    try container.encodeNil()
    try container.encode(true)
    try container.encode("text")
    try container.encode(1.5)
    try container.encode(Float(0.1))
    try container.encode(Int(-1))
    try container.encode(Int8(-8))
    try container.encode(Int128.min)
    try container.encode(UInt(1))
    try container.encode(UInt64.max)
    try container.encode(UInt128.max)
    try container.encode(Point())
    try container.encode(contentsOf: [1, 2])
    try container.encode(contentsOf: ["a"])
    try container.encode(contentsOf: [Point()])
    try container.encodeConditional(Base())
    #expect(container.count == 17)
  }

  @Test("from every method of every container are Foundation's bytes")
  func fromEveryMethodOfEveryContainer() {
    let pair = EncoderPair()
    pair.expectSame(
      Encoding { encoder in
        var container = encoder.container(keyedBy: NamedKey.self)
        try self.encodeAll(&container)
        var nested = container.nestedContainer(keyedBy: NamedKey.self, forKey: "nested")
        try self.encodeAll(&nested)
        var array = nested.nestedUnkeyedContainer(forKey: "array")
        try self.encodeAll(&array)
        var inArray = array.nestedContainer(keyedBy: NamedKey.self)
        try self.encodeAll(&inArray)
        var arrayInArray = array.nestedUnkeyedContainer()
        try self.encodeAll(&arrayInArray)
      })
    func single<T: Encodable>(_ value: T) {
      pair.expectSame(
        Encoding { encoder in
          var container = encoder.singleValueContainer()
          try container.encode(value)
        })
      pair.expectSame([
        Encoding { encoder in
          var container = encoder.singleValueContainer()
          try container.encode(value)
        }
      ])
    }
    single(true)
    single("text")
    single(1.5)
    single(Float(0.1))
    single(-1)
    single(UInt128.max)
    single(Point())
    single([Point()])
    single([1: 2])
    single(Date(timeIntervalSinceReferenceDate: 1))
    pair.expectSame([
      Encoding { encoder in
        var container = encoder.singleValueContainer()
        try container.encodeNil()
      }
    ])
  }

  @Test("that stand alone are Foundation's bytes") func thatStandAloneAreFoundationsBytes() {
    let pair = EncoderPair()
    pair.expectSame(1)
    pair.expectSame("a")
    pair.expectSame(false)
    pair.expectSame(Int?.none)
    pair.expectSame([Int]())
    pair.expectSame([String: Int]())
    pair.expectSame(Date(timeIntervalSinceReferenceDate: 1.5))
    pair.expectSame(Data([1]))
  }

  @Test("of no content are empty objects, and an error at the top")
  func ofNoContentAreEmptyObjects() {
    let pair = EncoderPair()
    let nothing = Encoding { _ in }
    pair.expectSame(nothing)
    pair.expectSame([nothing])
    pair.expectSame(["a": nothing])
    pair.expectSame(
      Encoding { encoder in
        var container = encoder.singleValueContainer()
        try container.encode(nothing)
      })
  }

  @Test("that are decimal numbers keep every digit") func thatAreDecimalNumbersKeepEveryDigit() {
    let pair = EncoderPair()
    for text in [
      "0", "1", "-1", "123456789.000123", "1e30", "1.5e-30", "-0.00001", "9e127", "1e-128",
      "99999999999999999999999999999999999999", "340282366920938463463374607431768211455", "0.10",
    ] {
      guard let number = Decimal(string: text) else { continue }
      pair.expectSame(number)
      pair.expectSame(["a": [number]])
    }
    var random = RandomValues(seed: 31)
    var numbers: [Decimal] = []
    for _ in 0..<3_000 {
      let digits = String(
        (0..<(1 + random.below(38))).map { _ in Character("\(random.below(10))") })
      let exponent = random.below(200) - 100
      guard let number = Decimal(string: "\(digits)e\(exponent)"), !number.isNaN else { continue }
      numbers += [number, -number, number * 3, number / 8, number - 1]
    }
    pair.expectSame(numbers.filter { !$0.isNaN })
  }

  @Test("of keys that are there twice are the last ones, in the first place")
  func ofKeysThatAreThereTwice() throws {
    let twice = Encoding { encoder in
      var container = encoder.container(keyedBy: NamedKey.self)
      try container.encode(1, forKey: "a")
      try container.encode(0, forKey: "b")
      try container.encode([2, 3], forKey: "a")
    }
    #expect(try encoded(twice) == #"{"a":[2,3],"b":0}"#)
    EncoderPair().expectSame(["x": twice])
    let many = Encoding { encoder in
      var container = encoder.container(keyedBy: NamedKey.self)
      for index in 0..<1_000 {
        try container.encode(index, forKey: NamedKey(stringValue: "key \(index % 700)"))
      }
    }
    EncoderPair().expectSame(many)
  }

  @Test("keep the order of encoding without sorting") func keepTheOrderOfEncodingWithoutSorting()
    throws
  {
    let keys = ["z", "a", "m", "b"]
    let value = Encoding { encoder in
      var container = encoder.container(keyedBy: NamedKey.self)
      for key in keys { try container.encode(1, forKey: NamedKey(stringValue: key)) }
    }
    #expect(try encoded(value) == #"{"z":1,"a":1,"m":1,"b":1}"#)
  }

  @Test("are sorted by the bytes of their keys, as Foundation does")
  func areSortedByTheBytesOfTheir() {
    var keys = ["", "a", "A", "aa", "é", "e\u{301}", "日本", "😀", "\u{FFFD}", "a\"", "a\\", "a/b"]
    keys += ["\n", "\u{1}", "aaaaaaaab", "aaaaaaaaa", "a a", "10", "9", "a\u{0}", "a!"]
    keys += (0..<100).map { "key\($0)" }
    let pair = EncoderPair()
    pair.expectSame(Dictionary(uniqueKeysWithValues: keys.filter { $0 != "é" }.map { ($0, 1) }))
    for count in [2, 3, 20, 40] {
      pair.expectSame(
        Encoding { encoder in
          var container = encoder.container(keyedBy: NamedKey.self)
          for key in keys.reversed().prefix(count) where key != "é" {
            try container.encode([key: key], forKey: NamedKey(stringValue: key))
          }
        })
    }
  }

  @Test("with a configuration are encoded with it") func withAConfigurationAreEncodedWithIt() throws
  {
    struct Scaled: EncodableWithConfiguration {
      func encode(to encoder: any Encoder, configuration: Int) throws {
        var container = encoder.singleValueContainer()
        try container.encode(21 * configuration)
      }
    }
    struct Two: EncodingConfigurationProviding { static var encodingConfiguration: Int { 2 } }
    let encoder = JSON.Encoder()
    #expect(try encoder.encode(Scaled(), configuration: 2) == Data("42".utf8))
    #expect(try encoder.encode(Scaled(), configuration: Two.self) == Data("42".utf8))
  }

  @Test("are encoded on many threads at once with one encoder") func areEncodedOnManyThreadsAtOnce()
    async throws
  {
    let encoder = JSON.Encoder()
    let expected = try encoder.encode(Point())
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<16 {
        group.addTask {
          (0..<500).allSatisfy { _ in (try? encoder.encode(Point()))?.count == expected.count }
        }
      }
      for await isSame in group { #expect(isSame) }
    }
  }
}
