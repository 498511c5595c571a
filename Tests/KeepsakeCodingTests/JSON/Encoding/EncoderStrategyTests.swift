import Foundation
import KeepsakeCoding
import KeepsakeDateFormatter
import Testing

@Suite("JSON.Encoder: strategies")
struct EncoderStrategyTests {
  private struct Keyed: Encodable {
    let key: String

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: NamedKey.self)
      try container.encode(["innerKey": 1], forKey: NamedKey(stringValue: key))
    }
  }

  private struct Inner: Encodable {
    var someValue = 1
    var byName = ["oneTwo": 1]
    var byNumber = [3: "x"]
    var list = [["threeFour": Keyed(key: "fiveSix")]]
  }

  private static let keys = [
    "", "a", "A", "aB", "myURLProperty", "oneTwoThree", "URL", "someURL", "aB1c", "_a", "__aB__",
    "éaÉb", "ABc", "a1B2C3d", "HTTPServer", "aÉÉé", "x-Y", "a b C", "aBC", "aBCd_E", "a/B", "aB\"C",
    "日本A語", "1A", "aBcDEFg", "ab", "AB", "_", "__", "aB_cD", "ſA", "ǅab",
  ]

  @Test("write keys in snake case as Foundation does") func writeKeysInSnakeCaseAsFoundation() {
    let pair = EncoderPair()
    pair.foundation.keyEncodingStrategy = .convertToSnakeCase
    pair.keepsake.keyEncodingStrategy = .convertToSnakeCase
    for key in Self.keys { pair.expectSame(Keyed(key: key)) }
    pair.expectSame(Inner())
    var random = RandomValues(seed: 11)
    for _ in 0..<3_000 {
      let letters = Array("aBcD_1é-")
      let key = String((0..<random.below(9)).map { _ in letters[random.below(letters.count)] })
      pair.expectSame(Keyed(key: key))
    }
  }

  @Test("write keys in kebab case") func writeKeysInKebabCase() throws {
    let value = Keyed(key: "myURLProperty")
    #expect(
      try encoded(value) { $0.keyEncodingStrategy = .convertToKebabCase }
        == #"{"my-url-property":{"innerKey":1}}"#)
  }

  @Test("give a function the whole path to a key") func giveAFunctionTheWholePath() throws {
    let encoder = JSON.Encoder()
    encoder.outputFormatting = .sortedKeys
    encoder.keyEncodingStrategy = .custom {
      NamedKey(stringValue: $0.map(\.stringValue).joined(separator: "."))
    }
    #expect(
      String(decoding: try encoder.encodeToBytes(Inner()), as: UTF8.self)
        == #"{"byName":{"oneTwo":1},"byNumber":{"byNumber.3":"x"},"list":[{"threeFour":"#
        + #"{"list.Index 0.threeFour.fiveSix":{"innerKey":1}}}],"someValue":1}"#)
  }

  @Test("write dates as Foundation does") func writeDatesAsFoundationDoes() {
    let pair = EncoderPair()
    let dates = [
      0, 0.5, -0.5, 0.999, 0.9999999, -0.0001, 700_000_000.9996, -1e9, -1e9 - 0.5,
      -13_190_947_200, -13_190_947_201, 252_423_993_599.9999, 252_423_993_600, -2e10, -7e10, 1e12,
    ].map { Date(timeIntervalSinceReferenceDate: $0) }
    func check() {
      pair.expectSame(dates)
      for date in dates { pair.expectSame(["d": date]) }
    }
    check()
    pair.foundation.dateEncodingStrategy = .secondsSince1970
    pair.keepsake.dateEncodingStrategy = .secondsSince1970
    check()
    pair.foundation.dateEncodingStrategy = .millisecondsSince1970
    pair.keepsake.dateEncodingStrategy = .millisecondsSince1970
    check()
    pair.foundation.dateEncodingStrategy = .iso8601
    pair.keepsake.dateEncodingStrategy = .iso8601
    check()
    var random = RandomValues(seed: 12)
    pair.expectSame(
      (0..<20_000).map { _ in
        Date(
          timeIntervalSinceReferenceDate: Double(random.below(265_000_000_000_000)) / 1e3 - 1.3e10)
      })
    pair.foundation.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.unkeyedContainer()
      try container.encode(date.timeIntervalSince1970)
    }
    pair.keepsake.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.unkeyedContainer()
      try container.encode(date.timeIntervalSince1970)
    }
    check()
    pair.foundation.dateEncodingStrategy = .custom { _, _ in }
    pair.keepsake.dateEncodingStrategy = .custom { _, _ in }
    check()
    pair.expectSame(dates[0])
  }

  @Test("write fractions of a second as the format style does") func writeFractionsOfASecond()
    throws
  {
    let encoder = JSON.Encoder()
    encoder.dateEncodingStrategy = .iso8601WithFractionalSeconds
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    var random = RandomValues(seed: 13)
    for _ in 0..<20_000 {
      let date = Date(
        timeIntervalSinceReferenceDate: Double(random.below(265_000_000_000_000)) / 1e3 - 1.3e10)
      let text = String(decoding: try encoder.encodeToBytes(date), as: UTF8.self)
      guard text != "\"\(date.formatted(style))\"" else { continue }
      Issue.record("\(text) is not \(date.formatted(style))")
      return
    }
  }

  @Test("write dates so that the same are read") func writeExactDates() throws {
    let encoder = JSON.Encoder()
    let decoder = JSON.Decoder()
    encoder.dateEncodingStrategy = .iso8601Exact
    decoder.dateDecodingStrategy = .iso8601Exact
    var random = RandomValues(seed: 14)
    var seconds: [Double] = [
      0, -0.5, 0.5, 1e-7, -1e-7, 1e-29, 1e-300, -.leastNonzeroMagnitude, 1e300,
      -.greatestFiniteMagnitude, 785_000_000.1,
      -13_190_947_200, -13_190_947_200.001, 252_423_993_599.999, 252_423_993_600, -0.1, -1,
      -0.999_999_999_999_999_9, 0.1.nextUp, -785_000_000.123_456_7,
    ]
    for _ in 0..<20_000 {
      let magnitude = Double(sign: .plus, exponent: Int(random.below(80)) - 40, significand: 1)
      seconds.append((Double(random.below(2_000_000_000)) / 1e9 - 1) * magnitude)
      // Nearby dates to the last bit.
      seconds.append((785_000_000 + Double(random.below(1_000_000_000)) / 1e3).nextUp)
    }
    for seconds in seconds {
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      let text = try encoder.encodeToBytes(["d": date])
      guard try decoder.decode([String: Date].self, from: text)["d"] != date else { continue }
      Issue.record("\(seconds) is not in \(String(decoding: text, as: UTF8.self))")
      return
    }
    let date = Date(timeIntervalSinceReferenceDate: 785_000_000.25)
    let text = String(decoding: try encoder.encodeToBytes([date]), as: UTF8.self)
    #expect(text == #"["2025-11-16T15:33:20.25Z"]"#)
    #expect(try decoder.decode([Date].self, from: Data("[785000000.25]".utf8)) == [date])
    #expect(throws: EncodingError.self) {
      try encoder.encode(Date(timeIntervalSinceReferenceDate: .infinity))
    }
    for text in ["\"785000000.25\"", "true", "\"2025-11-16\"", "{}"] {
      #expect(throws: DecodingError.self) { try decoder.decode(Date.self, from: Data(text.utf8)) }
    }
  }

  @Test("write dates by a formatter") func writeDatesByAFormatter() throws {
    let formatter = DateFormatter()
    formatter.dateFormat = "yyyy/MM"
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    #expect(
      try encoded([Date(timeIntervalSince1970: 0)]) {
        $0.dateEncodingStrategy = .formatted(formatter)
      }
        == #"["1970\/01"]"#)
  }

  @Test("write data as Foundation does") func writeDataAsFoundationDoes() {
    let pair = EncoderPair()
    var random = RandomValues(seed: 14)
    let values = (0..<200).map { count in
      Data(
        (0..<count).map { _ in
          UInt8(truncatingIfNeeded: random.next()) | (count & 1 == 0 ? 0xFC : 0)
        })
    }
    func check() {
      pair.expectSame(values)
      pair.expectSame(["data": values[7]])
      pair.expectSame(values[8])
    }
    check()
    pair.foundation.outputFormatting.insert(.withoutEscapingSlashes)
    pair.keepsake.outputFormatting.insert(.withoutEscapingSlashes)
    check()
    pair.foundation.dataEncodingStrategy = .deferredToData
    pair.keepsake.dataEncodingStrategy = .deferredToData
    check()
    pair.foundation.dataEncodingStrategy = .custom { data, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(data.count)
    }
    pair.keepsake.dataEncodingStrategy = .custom { data, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(data.count)
    }
    check()
  }

  @Test("write numbers that are none as strings, or not at all")
  func writeNumbersThatAreNoneAsStrings() {
    struct Numbers: Encodable {
      var positive = Double.infinity
      var negative = -Float.infinity
      var none = [Double.nan, 1]
      var optional: Double? = .nan
    }
    let pair = EncoderPair()
    pair.expectSame(Numbers())
    pair.expectSame(["a": [1, -Double.infinity]])
    pair.expectSame([["a": Float.nan]])
    pair.expectSame(Double.nan)
    pair.foundation.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "+∞", negativeInfinity: "-\"", nan: "?")
    pair.keepsake.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "+∞", negativeInfinity: "-\"", nan: "?")
    pair.expectSame(Numbers())
  }

  @Test("are found in the user info") func areFoundInTheUserInfo() throws {
    let key = try #require(CodingUserInfoKey(rawValue: "unit"))
    let value = Encoding { encoder in
      var container = encoder.singleValueContainer()
      try container.encode(encoder.userInfo[key] as? String)
    }
    #expect(try encoded([value]) { $0.userInfo[key] = "m" } == #"["m"]"#)
  }

  @Test("read back as they were set") func readBackAsTheyWereSet() {
    let encoder = JSON.Encoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    encoder.outputFormatting.remove(.sortedKeys)
    #expect(encoder.outputFormatting == .prettyPrinted)
    encoder.keyEncodingStrategy = .convertToSnakeCase
    guard case .convertToSnakeCase = encoder.keyEncodingStrategy else {
      Issue.record("The strategy is another one.")
      return
    }
  }
}
