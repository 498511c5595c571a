import Foundation
import KeepsakeCoding
import Testing

/// Numbers at the edges of what their types hold.
@Suite struct NumberDecodingTests {
  private func decode<T: Decodable>(_ type: T.Type, _ text: String, json5: Bool = false) -> T? {
    let decoder = JSON.Decoder()
    decoder.allowsJSON5 = json5
    return try? decoder.decode(type, from: Array(text.utf8))
  }

  @Test("Whole numbers may have a point or an exponent") func wholeNumbersMayHaveAPoint() {
    #expect(decode(Int.self, "1.0") == 1)
    #expect(decode(Int.self, "1e3") == 1000)
    #expect(decode(Int.self, "-1200e-2") == -12)
    #expect(decode(Int.self, "1.5") == nil)
    #expect(decode(UInt8.self, "255.0") == 255)
    #expect(decode(UInt8.self, "256") == nil)
    #expect(decode(UInt8.self, "-1") == nil)
    #expect(decode(UInt8.self, "-0") == 0)
    #expect(decode(Int.self, "1.0000000000000000000e99999999999999999999") == nil)
    #expect(decode(Int.self, "10000000000000000000000e-22") == 1)
  }

  @Test("Every type holds its least and its greatest number, and no more")
  func everyTypeHoldsItsLeast() {
    func check<I: FixedWidthInteger & Decodable>(_ type: I.Type) {
      #expect(decode(type, "\(I.max)") == I.max)
      #expect(decode(type, "\(I.min)") == I.min)
      #expect(decode(type, "\(I.max)0") == nil)
      #expect(decode(type, "\(I.max)".dropLast() + "9") == nil)
      #expect(decode(type, "\(I.max).0") == I.max)
      if I.isSigned { #expect(decode(type, "\(I.min).0") == I.min) }
      if I.isSigned { #expect(decode(type, "\(I.min)".dropLast() + "9") == nil) }
    }
    check(Int8.self)
    check(Int16.self)
    check(Int32.self)
    check(Int64.self)
    check(Int128.self)
    check(UInt8.self)
    check(UInt16.self)
    check(UInt32.self)
    check(UInt64.self)
    check(UInt128.self)
  }

  private func decode<T: Decodable>(_ type: T.Type, _ text: Substring) -> T? {
    decode(type, String(text))
  }

  private func decode<T: Decodable>(_ type: T.Type, _ text: [Character]) -> T? {
    decode(type, String(text))
  }

  @Test("More zeros than an exponent has room for are counted")
  func moreZerosThanAnExponentHasRoom() {
    for count in [20, 400, 999_999, 1_000_001, 16_777_210] {
      let zeros = String(repeating: "0", count: count)
      #expect(decode(Double.self, "0.\(zeros)1") == (count < 300 ? 1e-21 : 0), "\(count)")
      #expect(decode(Double.self, "0.\(zeros)1e\(count + 1)") == 1, "\(count)")
      #expect(decode(Int.self, "0.\(zeros)1e\(count + 1)") == 1, "\(count)")
    }
  }

  @Test("A float is rounded once") func aFloatIsRoundedOnce() {
    #expect(decode(Float.self, "16777217") == 16_777_216)
    #expect(decode(Float.self, "16777217.0000000001") == 16_777_218)
    #expect(decode(Float.self, "3.4028235677973367e38") == nil)
    #expect(decode(Float.self, "3.4028235e38") == .greatestFiniteMagnitude)
    #expect(decode(Float.self, "1e-45") == .leastNonzeroMagnitude)
    #expect(decode(Float.self, "0x1000001", json5: true) == 16_777_216)
    #expect(decode(Float.self, "-0x1000003", json5: true) == -16_777_220)
  }

  @Test("Decimal numbers are exact") func decimalNumbersAreExact() {
    #expect(decode(Decimal.self, "-0") == 0)
    #expect(decode(Decimal.self, "-0.0") == 0)
    #expect(decode(Decimal.self, "0.1") == Decimal(string: "0.1"))
    let digits = "12345678901234567890123456789012345678"
    #expect(decode(Decimal.self, digits)?.description == digits)
    #expect(decode(Decimal.self, "-" + digits)?.description == "-" + digits)
    #expect(decode(Decimal.self, "1e127") == Decimal(string: "1e127"))
    #expect(decode(Decimal.self, "1e400") == nil)
  }

  @Test("Decimal numbers of more digits than there is room for are Foundation's")
  func decimalNumbersOfMoreDigitsThan() throws {
    let digits = "12345678901234567890123456789012345678"
    let zeros = String(repeating: "0", count: 60)
    let texts = [
      digits + "9", digits + "94", digits + "95", "1" + digits + digits, "0." + digits + "9",
      "0." + digits + digits, "-" + digits + "." + digits, "1." + zeros, "1.\(zeros)1",
      String(repeating: "9", count: 39), String(repeating: "9", count: 40) + "e-40",
      "340282366920938463463374607431768211455", "340282366920938463463374607431768211456",
      "340282366920938463463374607431768211455e127",
      "3402823669209384634633746074317682114550e127", "1e-128", "1e-129", "1e127", "1e128",
      "10e127", "0.1e128", "1" + String(repeating: "0", count: 165),
      "1" + String(repeating: "0", count: 166), "0.\(zeros)\(zeros)0000001",
      "0.\(zeros)\(zeros)00000001", "0.\(zeros)\(zeros)000000001",
    ]
    for text in texts {
      let data = Data(text.utf8)
      let expected = try? Foundation.JSONDecoder().decode(Decimal.self, from: data)
      let number = decode(Decimal.self, text)
      #expect(number == expected, "\(text)")
      #expect(number?.description == expected?.description, "\(text)")
      // A value has all of them.
      #expect(try JSON.Value(parsing: text).description == text)
      guard let number else { continue }
      #expect(try JSON.Encoder().encode([number]) == Foundation.JSONEncoder().encode([number]))
    }
  }

  @Test("Numbers of JSON5 in every type") func numbersOfJSON5InEveryType() {
    #expect(decode(Int.self, "0x1F", json5: true) == 31)
    #expect(decode(Int.self, "+1", json5: true) == 1)
    #expect(decode(Double.self, ".5", json5: true) == 0.5)
    #expect(decode(Double.self, "-Infinity", json5: true) == -.infinity)
    #expect(decode(Double.self, "NaN", json5: true)?.isNaN == true)
    #expect(decode(Int.self, "NaN", json5: true) == nil)
    #expect(decode(Int.self, "0x", json5: true) == nil)
    for text in ["010", ".", "+", "1e", "0x1g", "- 1", "++1", "Infinit", "0x-1", "1_000"] {
      #expect(decode(Double.self, text, json5: true) == nil, "\(text)")
    }
  }
}
