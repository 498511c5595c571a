import Foundation
import KeepsakeBase
import KeepsakeCoding
import KeepsakeTestSupport
import Testing

/// `JSON.faults(in:)`: all that is wrong with a text, each once, and an end on every input.
@Suite struct FaultListTests {
  private func faults(_ text: String, _ syntax: JSON.Syntax = []) -> [JSON.Fault.Reason] {
    JSON.faults(in: Array(text.utf8), syntax: syntax).map(\.reason)
  }

  @Test("A valid text has none") func aValidTextHasNone() {
    #expect(faults(#"{"a": [1, 2.5, true, null, "x"], "b": {}}"#) == [])
    #expect(faults("{a: 'x', /* c */ b: +1,}", .json5) == [])
  }

  @Test("One mistake is one fault") func oneMistakeIsOneFault() {
    #expect(faults(#"["a\qb,c", 1]"#) == [.invalidEscape])
    #expect(faults(#"["\ud800,]", 1]"#) == [.loneSurrogate])
    #expect(faults("[\"a\tb, c\", 1]") == [.controlCharacter])
    #expect(faults("[1 2]") == [.expectedCommaOrBracket])
    #expect(faults("[1, 2,]") == [.expectedValue])
    #expect(faults(#"{"a": 01, "b": 2}"#) == [.leadingZero])
    #expect(faults("") == [.unexpectedEnd])
  }

  @Test("Several mistakes are listed in their order") func severalMistakesAreListedInTheirOrder() {
    let text = #"{"a": tru, "b": [01, 2, "\x", nul], "c" 1}"#
    #expect(
      faults(text) == [
        .expectedValue, .leadingZero, .invalidEscape, .expectedValue, .expectedColon,
      ])
  }

  @Test("Every text has an end, and its faults lie in it and go forward") func everyTextHasAnEnd() {
    var random = SeededRandom(seed: 11)
    let pieces = [
      "{", "}", "[", "]", ",", ":", "\"", "'", "\\", "\\u12", "\\ud83d", "/", "/*", "*/", "//",
      "\n",
      " ", "1", "-", ".", "e", "0x", "tru", "null", "a", "\u{e4}", "\u{2028}", "\0", "\u{1}", "$",
    ]
    for round in 0..<8_000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int(random.next() % 24) {
        bytes += pieces[Int(random.next() % UInt64(pieces.count))].utf8
        if random.next() % 40 == 0 { bytes.append(UInt8(truncatingIfNeeded: random.next())) }
      }
      let syntax = JSON.Syntax(rawValue: UInt8(round % 16))
      let found = JSON.faults(in: bytes, syntax: syntax)
      #expect(found.allSatisfy { $0.location.offset <= bytes.count })
      // Duplicates and braces left out are the decoder's business.
      guard !syntax.contains(.topLevelObjectWithoutBraces) else { continue }
      let isValid =
        (try? JSON.read(bytes, syntax: syntax) { reader throws(JSON.Fault) in
          try reader.skipValue()
        }) != nil
      #expect(isValid == found.isEmpty, "\(String(decoding: bytes, as: UTF8.self))")
    }
  }
}
