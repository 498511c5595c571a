import Foundation
import KeepsakeCoding
import KeepsakeTestSupport
import Testing

@Suite("RFC 8259, sentence by sentence")
struct AcceptanceTests {
  private func isAccepted(_ bytes: [UInt8]) -> Bool {
    (try? JSONDecoder().decode(AnyTree.self, from: Data(bytes))) != nil
  }

  private func expect(
    _ isAccepted: Bool, _ texts: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for text in texts {
      #expect(
        self.isAccepted(Array(text.utf8)) == isAccepted, "\(text.debugDescription)",
        sourceLocation: sourceLocation)
      // A text that the judge sees otherwise would be a fault of this test.
      let byJudge = Judge.fault(in: Array(text.utf8)) == nil
      #expect(byJudge == isAccepted, "\(text.debugDescription)", sourceLocation: sourceLocation)
    }
  }

  @Test("Any value may stand alone") func anyValueMayStandAlone() {
    expect(true, ["null", "true", "false", "0", "-1.5e3", "\"\"", "[]", "{}", " 1 ", "\n\t\r 1\n"])
    expect(false, ["", " ", "nul", "nulll", "True", "NULL", "tru", "t", "-", "undefined", "NaN"])
    expect(false, ["Infinity", "-Infinity", "inf", "nan", "'a'", "a", "{]", "[}", "<null>", "*"])
  }

  @Test("Only four characters are space") func onlyFourCharactersAreSpace() {
    expect(true, [" [ \t1\r\n,\n 2 ] ", "\n{ \"a\" :\t1 , \"b\"\r:2 }\n"])
    let others = [
      "\u{0B}", "\u{0C}", "\u{A0}", "\u{85}", "\u{2028}", "\u{2060}", "\u{1}", "\u{7F}",
    ]
    for space in others + ["\u{FEFF}", "\u{3000}", "/**/", "//\n", "#\n", "\\n"] {
      expect(false, ["[1,\(space)2]", "[\(space)]", "1\(space)", "{\(space)\"a\":1}"])
    }
  }

  @Test("Objects and arrays have one comma between entries, and none elsewhere")
  func objectsAndArraysHaveOneCommaBetween() {
    expect(
      true, ["[1,[2,[3]],{}]", "[[],[]]", "{\"a\":{\"b\":[{}]}}", "{\"\":0}", "{\"a\":1,\"a\":2}"])
    expect(false, ["[1,]", "[,]", "[,1]", "[1,,2]", "[1 2]", "[1", "1]", "[", "]", "[[]", "[]]"])
    expect(false, ["[\"a\" \"b\"]", "[1;2]", "[1:2]", "[\"a\":1]", "[1}", "[}", "[[1]", "[1,\n"])
    expect(false, ["{", "}", "{,}", "{\"a\":1,}", "{,\"a\":1}", "{\"a\":1,,\"b\":2}", "{\"a\":1"])
    expect(false, ["{\"a\"}", "{\"a\":}", "{:1}", "{\"a\":1 \"b\":2}", "{\"a\" 1}", "{\"a\",1}"])
    expect(false, ["{a:1}", "{'a':1}", "{1:1}", "{null:1}", "{[]:1}", "{\"a\"::1}", "{\"a\":1;}"])
    expect(false, ["{\"a\":1}}", "{\"a\":1}]", "{\"a\":1]", "[{]}", "{\"a\":[1,}", "{\"a\""])
    expect(false, ["1 2", "[] []", "{}{}", "null,", "null true", "[1]x", "\"a\"\"b\"", "1,"])
  }

  @Test("Numbers begin with no zero, and have digits on both sides of a point")
  func numbersBeginWithNoZero() {
    expect(true, ["0", "-0", "10", "-10", "0.0", "-0.0", "1.0", "0.1", "123.456", "1e1", "1E1"])
    expect(
      true, ["1e+1", "1e-1", "1e01", "1e-00", "0e0", "0e1", "0e+1", "-0e-1", "0.0e0", "1.5E+9"])
    expect(true, ["100000000000000000000", "0.\(String(repeating: "0", count: 400))1"])
    expect(
      false, ["01", "-01", "00", "-00", "+1", "++1", "--1", "-", "+", ".5", "-.5", "5.", "-5."])
    expect(
      false, ["1.e1", ".e1", "1e", "1e+", "1e-", "1e1.5", "1e1e1", "e1", "1.2.3", "1..2", "0x1"])
    expect(
      false, ["0b1", "0o7", "1_000", "1,000", "1 000", "1f", "1d", "1n", "١", "１", "1e１", "∞"])
    expect(
      false, ["- 1", "1 .5", "1. 5", "1 e5", "1e 5", "-Infinity", "-NaN", "-true", "0.e5", "0E"])
    expect(
      false, ["1\u{301}", "1e+-1", "1.-5", "0-1", "1+1", "0.1.", "0e.1", "1ee1", "-01.5", "00.5"])
  }

  @Test("Strings have two quotes, and no control character") func stringsHaveTwoQuotes() {
    for code in UInt8(0)..<0x20 {
      let character = Character(Unicode.Scalar(code))
      expect(
        false,
        ["\"\(character)\"", "\"abcdefghijklmnop\(character)qrstuvwxyz\"", "{\"\(character)\":1}"])
      let digits = String(code, radix: 16)
      expect(true, ["\"\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)\""])
    }
    expect(
      true,
      ["\"\u{7F}\"", "\"\u{80}\"", "\"\u{9F}\"", "\"\u{2028}\u{2029}\"", "\"\u{FEFF}\"", "\"/\""])
    expect(false, ["\"", "\"a", "a\"", "\"a\\\"", "\"\\", "\"\"\"", "'a\"", "\"a'", "“a”", "`a`"])
  }

  @Test("Only nine characters may follow a backslash") func onlyNineCharactersMayFollowABackslash()
  {
    for code in UInt8(0x20)..<0x7F {
      let character = Character(Unicode.Scalar(code))
      if character == "u" { continue }
      expect(
        "\"\\/bfnrt".contains(character),
        ["\"\\\(character)\"", "[\"abcdefghijklmnopq\\\(character)\"]"])
    }
    expect(
      true,
      ["\"\\u0041\"", "\"\\u00e9\"", "\"\\u00E9\"", "\"\\uFFFF\"", "\"\\uABCD\"", "\"\\u0022\""])
    expect(
      false,
      [
        "\"\\u\"", "\"\\u1\"", "\"\\u12\"", "\"\\u123\"", "\"\\u123g\"", "\"\\u 123\"",
        "\"\\u-123\"",
      ])
    expect(
      false,
      ["\"\\u+123\"", "\"\\U0041\"", "\"\\u{41}\"", "\"\\x41\"", "\"\\101\"", "\"\\u12", "\"\\é\""])
    expect(false, ["\"\\u１２３４\"", "\"\\\u{0}\"", "\"\\\n\""])
  }

  @Test("Surrogates come in pairs") func surrogatesComeInPairs() {
    expect(
      true,
      ["\"\\ud83d\\ude00\"", "\"\\uD800\\uDC00\"", "\"\\uDBFF\\uDFFF\"", "\"\\ud7ff\\ue000\""])
    expect(
      false,
      ["\"\\ud800\"", "\"\\udc00\"", "\"\\udc00\\ud800\"", "\"\\ud800\\ud800\"", "\"\\ud83dx\""])
    expect(
      false,
      [
        "\"\\ud83d\\u0041\"", "\"\\ud83d\\n\"", "\"\\ud83d\\\\ude00\"", "\"\\ud83d",
        "\"\\ud83d\\u\"",
      ])
    expect(
      false,
      ["\"\\ud83d\\ude0\"", "\"\\ud83d \\ude00\"", "{\"\\ud800\":1}", "\"\\ud83d\\ud83d\\ude00\""])
  }

  @Test("Bytes are UTF-8") func bytesAreUTF8() {
    func text(_ bytes: UInt8...) -> [UInt8] { [0x5B, 0x22] + bytes + [0x22, 0x5D] }
    func padded(_ bytes: [UInt8]) -> [UInt8] {
      [0x5B, 0x22] + [UInt8](repeating: 0x61, count: 37) + bytes.dropFirst(2)
    }
    let valid = [
      text(0xC2, 0x80), text(0xDF, 0xBF), text(0xE0, 0xA0, 0x80), text(0xED, 0x9F, 0xBF),
      text(0xEE, 0x80, 0x80), text(0xEF, 0xBF, 0xBF), text(0xF0, 0x90, 0x80, 0x80),
      text(0xF4, 0x8F, 0xBF, 0xBF),
    ]
    let invalid = [
      // Lone and missing continuations.
      text(0x80), text(0xBF), text(0xC2), text(0xE0, 0xA0), text(0xF0, 0x90, 0x80),
      text(0xC2, 0x41),
      text(0xE1, 0x80, 0x41), text(0xF1, 0x80, 0x80, 0x41), text(0xC2, 0x80, 0x80),
      // Longer than needed.
      text(0xC0, 0x80), text(0xC0, 0xAF), text(0xC1, 0xBF), text(0xE0, 0x80, 0x80),
      text(0xE0, 0x9F, 0xBF), text(0xF0, 0x80, 0x80, 0x80), text(0xF0, 0x8F, 0xBF, 0xBF),
      // Surrogates, and beyond the last scalar.
      text(0xED, 0xA0, 0x80), text(0xED, 0xBF, 0xBF), text(0xED, 0xA0, 0x80, 0xED, 0xB0, 0x80),
      text(0xF4, 0x90, 0x80, 0x80), text(0xF5, 0x80, 0x80, 0x80), text(0xF7, 0xBF, 0xBF, 0xBF),
      text(0xF8, 0x88, 0x80, 0x80, 0x80), text(0xFC, 0x84, 0x80, 0x80, 0x80, 0x80), text(0xFE),
      text(0xFF), text(0xFF, 0xFF),
    ]
    for bytes in valid {
      #expect(isAccepted(bytes) && isAccepted(padded(bytes)), "\(bytes)")
    }
    for bytes in invalid {
      #expect(!isAccepted(bytes) && !isAccepted(padded(bytes)), "\(bytes)")
      // As a key too, and where nobody looks at the value.
      let key = [0x7B] + bytes.dropFirst().dropLast() + Array(":1}".utf8)
      #expect(!isAccepted(key), "\(bytes)")
      struct Nothing: Decodable {}
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(Nothing.self, from: Data(Array("{\"a\":".utf8) + bytes + [0x7D]))
      }
    }
    for byte in UInt8(0x80)...0xFF { #expect(!isAccepted([0x5B, byte, 0x5D]), "\(byte)") }
  }

  @Test("Every sequence of two bytes in a string is seen as the validator sees it")
  func everySequenceOfTwoBytes() {
    for first in UInt8(0x80)...0xFF {
      for second in UInt8(0x80)...0xFF {
        for rest in [[], [0x80], [0x80, 0x80]] as [[UInt8]] {
          let bytes = [0x22, first, second] + rest + [0x22]
          let isValid = String(validating: bytes, as: UTF8.self) != nil
          if isAccepted(bytes) != isValid { Issue.record("\(bytes)") }
        }
      }
    }
  }

  @Test("512 levels may be open, and no more, unless told otherwise") func with512LevelsMayBeOpen()
  {
    func nest(_ open: String, _ close: String, _ depth: Int) -> [UInt8] {
      Array(
        (String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)).utf8)
    }
    struct Skipped: Decodable {}
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
      #expect(isAccepted(nest(open, close, 512)))
      #expect(!isAccepted(nest(open, close, 513)))
      #expect(!isAccepted(nest(open, close, 1_000_000)))
      #expect(!isAccepted(Array(String(repeating: open, count: 1_000_000).utf8)))
    }
    let decoder = JSONDecoder()
    decoder.maximumDepth = 3
    #expect(throws: Never.self) {
      try decoder.decode(Skipped.self, from: Data("{\"a\":[[]]}".utf8))
    }
    #expect(throws: DecodingError.self) {
      try decoder.decode(Skipped.self, from: Data("{\"a\":[[[]]]}".utf8))
    }
  }

  @Test("A byte order mark and other encodings are recognised")
  func aByteOrderMarkAndOtherEncodings() throws {
    #expect(isAccepted([0xEF, 0xBB, 0xBF] + Array("[1]".utf8)))
    #expect(!isAccepted([0xEF, 0xBB, 0xBF]))
    #expect(!isAccepted([0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF] + Array("1".utf8)))
    let text = "{\"é\":\"😀\"}"
    for encoding in [
      String.Encoding.utf16, .utf16BigEndian, .utf16LittleEndian, .utf32, .utf32BigEndian,
      .utf32LittleEndian,
    ] {
      let data = try #require(text.data(using: encoding))
      let value = try JSONDecoder().decode([String: String].self, from: data)
      #expect(value == ["é": "😀"], "\(encoding)")
      #expect(throws: DecodingError.self, "\(encoding)") {
        try JSONDecoder().decode([String: String].self, from: data.dropLast())
      }
    }
  }

  @Test("What is left out of a text is no text: every prefix is refused")
  func whatIsLeftOutOfAText() throws {
    let text = Array(
      #"{"a":[1,-2.5e+3,true,null,"\u00e9\n😀"],"b":{"":[]},"longer key here":false}"#.utf8)
    #expect(isAccepted(text))
    for count in 0..<text.count { #expect(!isAccepted(Array(text[..<count])), "\(count)") }
    for count in 0...text.count {
      #expect(!isAccepted(Array(text[..<count]) + [0] + Array(text[count...])), "\(count)")
    }
  }
}
