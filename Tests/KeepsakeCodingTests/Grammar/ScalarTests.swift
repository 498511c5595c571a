import Foundation
import KeepsakeCoding
import KeepsakeTestSupport
import Testing

@Suite("Strings of every Unicode scalar")
struct ScalarTests {
  /// A scalar with its neighbours, at different places of a word and of a register.
  private func texts(_ range: Range<UInt32>) -> [String] {
    range.compactMap(Unicode.Scalar.init).map { scalar in
      let before = String(repeating: "a", count: Int(scalar.value % 19))
      return before + String(Character(scalar)) + (scalar.value % 2 == 0 ? "" : "é")
    }
  }

  @Test(
    "Every scalar comes back, raw and escaped",
    .enabled(if: TestLength.isAtLeast(.standard), "takes long without optimization"),
    arguments: 0..<17)
  func everyScalarComesBack(_ plane: UInt32) throws {
    let texts = texts(plane << 16..<(plane + 1) << 16)
    let decoder = JSONDecoder()
    let encoder = JSONEncoder()
    try #require(decoder.decode([String].self, from: encoder.encode(texts)) == texts)

    var raw = "["
    var escaped = "["
    for text in texts {
      if raw.utf8.count > 1 {
        raw += ","
        escaped += ","
      }
      escaped += "\""
      for unit in text.utf16 {
        let digits = String(unit, radix: 16, uppercase: unit % 3 == 0)
        escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
      escaped += "\""
      let needsEscape = text.unicodeScalars.contains { $0.value < 0x20 || $0 == "\"" || $0 == "\\" }
      raw += needsEscape ? "\"\"" : "\"\(text)\""
    }
    let copies = try decoder.decode([String].self, from: Data((escaped + "]").utf8))
    // By scalars: strings that mean the same would equal each other.
    try #require(copies.count == texts.count)
    #expect(zip(copies, texts).allSatisfy { $0.utf8.elementsEqual($1.utf8) })
    let rawCopies = try decoder.decode([String].self, from: Data((raw + "]").utf8))
    #expect(zip(rawCopies, texts).allSatisfy { $0.isEmpty || $0.utf8.elementsEqual($1.utf8) })
  }

  @Test("Every scalar is written as Foundation writes it, as a value and as a key")
  func everyScalarIsWrittenAsFoundationWrites() throws {
    for (plane, slashes) in [(UInt32(0), true), (0, false), (1, true)] {
      let texts = texts(plane << 16..<(plane + 1) << 16)
      let formatting: JSONEncoder.OutputFormatting = slashes ? [.withoutEscapingSlashes] : []
      let encoder = JSONEncoder()
      encoder.outputFormatting = formatting
      let foundation = Foundation.JSONEncoder()
      if slashes { foundation.outputFormatting = [.withoutEscapingSlashes] }
      #expect(try encoder.encode(texts) == foundation.encode(texts))
      for text in texts where text.utf16.count < 3 {
        let pair = try (encoder.encode([text: 1]), foundation.encode([text: 1]))
        if pair.0 != pair.1 { Issue.record("\(text.debugDescription)") }
      }
    }
  }

  @Test("Strings of every length are read and written, with any end")
  func stringsOfEveryLengthAreRead() throws {
    for count in 0...130 {
      for end in ["", "\"", "\\", "\n", "é", "😀", "/"] {
        let text = String(repeating: "x", count: count) + end
        let data = try JSONEncoder().encode([text, text])
        #expect(try JSONDecoder().decode([String].self, from: data) == [text, text])
        #expect(try Foundation.JSONDecoder().decode([String].self, from: data) == [text, text])
      }
    }
  }
}
