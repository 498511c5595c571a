import Foundation
import KeepsakeCoding
import Testing

/// `JSON.Number`: equal if it is the same number, of any size, and always JSON.
@Suite struct JSONNumberTests {
  private func number(_ text: String) throws -> JSON.Number { try #require(JSON.Number(text)) }

  @Test(
    "Texts of one number are equal and hash alike",
    arguments: [
      ["1", "1.0", "10e-1", "0.01e2", "1E0", "1.000e+0"],
      ["0", "-0", "0.0", "0e999999999999999999999"],
      ["-12e3", "-12000", "-1.2e4"], ["1e99999999999999999999", "10e99999999999999999998"],
      ["1e-99999999999999999999", "0.1e-99999999999999999998"],
      ["0.1e-9223372036854775808", "1e-9223372036854775809"],
      ["10e9223372036854775807", "1e9223372036854775808"],
    ])
  func textsOfOneNumberAreEqual(texts: [String]) throws {
    let numbers = try texts.map(number)
    #expect(Set(numbers).count == 1)
    for one in numbers { for other in numbers { #expect(one == other) } }
  }

  @Test("Numbers that differ are not equal") func numbersThatDifferAreNotEqual() throws {
    let texts = [
      "1", "-1", "10", "1e99999999999999999999", "1e99999999999999999998",
      "1e-99999999999999999999", "-1e99999999999999999999", "1.00000000000000000000000000001",
    ]
    #expect(Set(try texts.map(number)).count == texts.count)
  }

  @Test("A huge exponent neither overflows nor takes long")
  func aHugeExponentNeitherOverflowsNorTakes() throws {
    #expect(try number("1e99999999999999999999").integer(as: Int.self) == nil)
    #expect(try number("1.0e99999999999999999999").integer(as: Int128.self) == nil)
    #expect(try number("0e99999999999999999999").integer(as: Int.self) == 0)
    #expect(try number("1e-99999999999999999999").integer(as: Int.self) == nil)
    #expect(try number("1e400").double == nil)
    #expect(try number("1e-400").double == 0)
  }

  @Test("Only what RFC 8259 calls a number is one") func onlyWhatRFC8259CallsANumber() {
    for text in [
      "", "+1", "01", "1.", ".5", "1e", "0x1", "NaN", "Infinity", " 1", "1 ", "-", "1\0", "１",
    ] {
      #expect(JSON.Number(text) == nil, "\(text)")
    }
  }

  @Test("Numbers that only JSON5 can write become numbers of JSON")
  func numbersThatOnlyJSON5CanWriteBecome() throws {
    let text = "[0x1F, -0Xa, +1, .5, 5., 5.e3, -.25, 0xFFFFFFFFFFFFFFFF]"
    let value = try JSON.Value(parsing: text, syntax: .json5)
    #expect(value.description == "[31,-10,1,0.5,5,5e3,-0.25,18446744073709551615]")
    #expect(try JSON.Value(parsing: value.description) == value)
  }

  @Test("A number that is not finite is no value") func aNumberThatIsNotFinite() {
    for text in ["NaN", "[Infinity]", #"{"a": -Infinity}"#] {
      #expect(throws: JSON.ParseError.self) { try JSON.Value(parsing: text, syntax: .json5) }
      let decoder = JSON.Decoder()
      decoder.allowsJSON5 = true
      #expect(throws: DecodingError.self) {
        try decoder.decode(JSON.Value.self, from: Array(text.utf8))
      }
    }
  }
}
