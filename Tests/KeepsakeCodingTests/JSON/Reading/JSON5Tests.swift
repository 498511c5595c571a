import Foundation
@testable import KeepsakeCoding
import Testing

/// JSON5 as spec.json5.org has it, where that goes beyond what other tests read.
@Suite struct JSON5Tests {
  private func parse(_ text: String) -> String? {
    (try? JSON.Value(parsing: text, syntax: .json5))?.description
  }

  @Test("Names are those of ECMAScript, escapes and all") func namesAreThoseOfECMAScript() {
    #expect(parse("{a$_1: 1, äöü: 2, ℵ: 3}") == #"{"a$_1":1,"äöü":2,"ℵ":3}"#)
    #expect(parse(#"{\u0061b: 1, a\u0031: 2}"#) == #"{"ab":1,"a1":2}"#)
    for text in [
      "{1a: 1}", "{a-b: 1}", #"{\u0031: 1}"#, #"{a\u0020: 1}"#, #"{a\u00: 1}"#, "{a b: 1}",
      "{→: 1}",
    ] {
      #expect(parse(text) == nil, "\(text)")
    }
  }

  @Test("Spaces of every kind end a name") func spacesOfEveryKindEndAName() {
    for space in ["\u{A0}", "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{3000}", "\u{B}", "\u{C}"] {
      #expect(parse("\(space){a\(space):\(space)1\(space)}\(space)") == #"{"a":1}"#)
    }
  }

  @Test("A comment ends with its line, whichever way that ends") func aCommentEndsWithItsLine() {
    for end in ["\n", "\r", "\r\n", "\u{2028}", "\u{2029}"] {
      #expect(parse("// one\(end)1") == "1")
    }
    #expect(parse("/**/1/***/") == "1")
    for text in ["/*/1", "/* 1", "1 /", "1 /*", "1 /* *", "/", "//"] { #expect(parse(text) == nil) }
  }

  @Test("Strings have either quote, more escapes, and lines that go on")
  func stringsHaveEitherQuote() {
    #expect(parse(#"'a"b\'c'"#) == #""a\"b'c""#)
    #expect(parse(#""\x41\v\0\a\ä\'""#) == #""A\u000b\u0000aä'""#)
    #expect(parse("'a\\\nb\\\r\nc\\\u{2028}d\\\re'") == #""abcde""#)
    for text in [#"'\1'"#, #"'\01'"#, #"'\x4'"#, #"'\u12'"#, "'a\nb'", "'a\"", "'", "'\\", #"'\x"#]
    {
      #expect(parse(text) == nil, "\(text)")
    }
  }

  @Test("Every text that is cut off is refused, and none is read past its end")
  func everyTextThatIsCutOff() {
    let text =
      #"{a\u0062: '\x41\u00e4\ud83d\ude00', /* c */ "k": [+0x1F, -Infinity, .5e-3], } // é"#
    let bytes = Array(text.utf8)
    for count in 0..<bytes.count {
      let cut = Array(bytes[..<count])
      let isWhole = count >= text.utf8.count - " // é".utf8.count
      let value = try? JSON.Value(parsing: cut, syntax: .json5)
      #expect(value == nil || isWhole)
      _ = JSON.faults(in: cut, syntax: .json5)
    }
  }

  // Taken for UTF-32, which they are not; the fault is where a comment would begin.
  @Test("Bytes of no encoding are refused although they look like a comment")
  func bytesOfNoEncoding() throws {
    let bytes: [UInt8] = [0, 0, 0, 0x0B, 0x0B, 0x0B, 0x0B, 0x0B, 0x0B, 0x0B] + Array("//////".utf8)
    let error = #expect(throws: JSON.ParseError.self) {
      try JSON.Value(parsing: bytes, syntax: .json5)
    }
    #expect(error?.reason == .invalidEncoding)
    #expect(error?.path == [])
  }

  @Test("The path to any offset is found, in the middle of a comment, too") func pathToAnyOffset() {
    let text = "{a: [ // one\n 1, /* two */ 2], //\n //// four\n b: 3}"
    let input = text.utf8.withContiguousStorageIfAvailable {
      InputBytes(copying: UnsafeRawBufferPointer($0))
    }!
    for offset in 0...input.count {
      _ = JSON.path(to: offset, in: input, syntax: .json5)
    }
    #expect(JSON.path(to: 28, in: input, syntax: .json5) == [.key("a"), .index(1)])
  }
}
