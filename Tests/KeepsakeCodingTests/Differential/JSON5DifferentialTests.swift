import Foundation
import KeepsakeCoding
import KeepsakeTestSupport
import Testing

@Suite("JSON5, through Foundation's decoder and this one")
struct JSON5DifferentialTests {
  private func outcomes(
    _ text: String, isTopLevelDictionary: Bool = false
  ) -> (here: Outcome<Literal>, there: Outcome<Literal>) {
    let foundation = Foundation.JSONDecoder()
    foundation.allowsJSON5 = true
    foundation.assumesTopLevelDictionary = isTopLevelDictionary
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    decoder.assumesTopLevelDictionary = isTopLevelDictionary
    // Foundation's looks at what is behind a number that ends the text, and may trap at that.
    let closed = Data((text + "\n").utf8)
    return (
      Outcome { try decoder.decode(Literal.self, from: Data(text.utf8)) },
      Outcome { try foundation.decode(Literal.self, from: closed) }
    )
  }

  private func expectSame(_ texts: [String]) {
    for text in texts {
      let (here, there) = outcomes(text)
      switch (here, there) {
      case (.result(let left), .result(let right)):
        #expect(left == right, "\(text.debugDescription)")
      case (.failure, .failure): break
      default: Issue.record("\(text.debugDescription): \(here), but \(there) with Foundation")
      }
    }
  }

  @Test("objects have names for keys, single quotes, and a comma at the end")
  func objectsHaveNamesForKeys() {
    expectSame([
      "{a: 1}", "{a_b: 1}", "{$a: 1}", "{_: 1}", "{äöü: 1}", "{ℵ: 1}", "{'a': 1}", "{'a\"b': 1}",
      "{a: 1,}", "{,}", "{a: 1,,}", "{1a: 1}", "{a-b: 1}", "{a b: 1}", "{null: 1}", "{true: 1}",
      "{Infinity: 1}", "{NaN: 1}", "{: 1}", "{1: 1}", "{while: 1}", "{a\u{200C}b: 1}",
      "{a\u{300}: 1}",
      #"{"a": 1, b: 2, 'c': 3}"#, "{a:1 b:2}", "{a: [1, {b: {}}]}", "{日本: 1}", "{→: 1}", "{a1: 1}",
      "{a:undefined}", "{a:'b' 'c'}", "{'a':1,'a':2}", "{a:1,a:2}", "{a:1}}", "{a:1", "{a", "{",
    ])
  }

  @Test("arrays have a comma at the end") func arraysHaveACommaAtTheEnd() {
    expectSame(["[1,]", "[,]", "[,1]", "[1,,2]", "[1,2,]", "[]", "[ ]", "[", "[1", "[NaN,]"])
  }

  @Test("strings have either quote, and hexadecimal escapes") func stringsHaveEitherQuote() {
    expectSame([
      "'abc'", "''", #"'a"b'"#, #"'a\'b'"#, #""a'b""#, #""a\'b""#, #"'\x41'"#, #"'\x4'"#,
      #"'\xZZ'"#,
      #"'\xff'"#, #"'\01'"#, #"'\1'"#, #"'\9'"#, #"'\u0041'"#, #"'\u00'"#, #"'\ud83d\ude00'"#,
      #"'\ud83d'"#, #"'\ude00'"#, "'a\u{2028}b'", "'a\nb'", "'a\"", "'", "\"a", "'\u{7F}'",
      #"'\b\f\n\r\t\\\/'"#,
    ])
  }

  @Test("numbers have a plus, a point at either end, and hexadecimal digits")
  func numbersHaveAPlus() {
    expectSame([
      "0x1F", "0XAB", "0x", "-0x10", "+0x10", "0xg", "0xDEADBEEF", "+1", "-1", "++1", "+-1", "- 1",
      ".5", "-.5", "+.5", "5.", "-5.", "5.e3", ".", "+", "-", ".e5", "1e5", "1E+5", "1e", "010",
      "00", "-010", "0.5", "Infinity", "-Infinity", "+Infinity", "NaN", "infinity", "nan",
      "Infinit",
      "Infinityx", "NaNx", "1_000", "0b1", "0o7", "0x1.5", "0x1e3", "1.5.2", "1x", "0.",
      ".0", "1e400", "0x-1", "[Infinity,-Infinity,+Infinity]", "[.5,5.,0xA]",
    ])
  }

  @Test("comments and spaces stand anywhere") func commentsAndSpacesStandAnywhere() {
    expectSame([
      "// a\n1", "1 // a", "// a\r1", "/* a */1", "/**/1", "/***/1", "/* * */1", "/*/1", "/* 1",
      "1/* a", "1 /", "1 /*", "1 //", "//", "/**/", "/* /* */1", "/* /* */ */1", "[1 // a\n,2]",
      "{// a\n}", "1 # a", "{/**/a/**/:/**/1/**/,/**/}", "\t1", "\n1", "\r1", " 1", "\u{FEFF}1",
      "\u{85}1", "\u{200B}1", "", " ", "1 2", "{} {}",
      "{a: [1, 'b', {c: .5,},], /* x */ 'd': +1, // y\n}",
    ])
  }

  @Test("words are three") func wordsAreThree() {
    expectSame([
      "true", "false", "null", "True", "undefined", "NULL", "nulll", "truefalse", "tru", "'true'",
    ])
  }

  @Test(
    "random texts of what both read are the same values",
    .enabled(if: TestLength.isAtLeast(.standard), "takes long without optimization"),
    arguments: 0..<8)
  func randomTextsOfWhatBothRead(_ part: Int) {
    var generator = RandomJSON5(seed: UInt64(500 + part))
    for _ in 0..<2_000 {
      let text = generator.text()
      let (here, there) = outcomes(text)
      if here.agrees(with: there, isSame: ==) { continue }
      Issue.record("\(text.debugDescription): \(here.contrast(there))")
      return
    }
  }

  /// What the specification of JSON5 has and Foundation has not, or reads as something else: the
  /// differences that the article about coding lists.
  @Test("what differs is as the specification has it") func whatDiffersIsAsTheSpecificationHas() {
    for (text, meaning) in [
      (#"{\u0061: 1, a\u0031: 2}"#, #"["a": 1.0, "a1": 2.0]"#),
      (#"'\v\0\a\q\ä\😀\N\x00'"#, #""\u{0B}\0aqä😀N\0""#),
      ("'a\\\nb\\\r\nc\\\rd\\\u{2028}e\\\u{2029}f'", #""abcdef""#),
      ("'a\tb\u{1}'", #""a\tb\u{01}""#), ("0x123456789ABCDEF", "8.19855292164869e+16"),
      ("\u{B}1", "1.0"), ("\u{C}1", "1.0"), ("\u{A0}1\u{FEFF}", "1.0"),
      ("[1,\u{2003}2]", "[1.0, 2.0]"), ("\u{2028}1\u{2029}", "1.0"), ("// a\u{2028}1", "1.0"),
    ] {
      let decoder = JSONDecoder()
      decoder.allowsJSON5 = true
      let value = try? decoder.decode(Literal.self, from: Data(text.utf8))
      #expect(value?.literal == meaning, "\(text.debugDescription)")
    }
    // On the first, Foundation traps; the others it reads, the last as 7.
    for text in ["1e+", "0x1p3", "7718.889e-3"] {
      let decoder = JSONDecoder()
      decoder.allowsJSON5 = true
      #expect(throws: DecodingError.self) { try decoder.decode(Int.self, from: Data(text.utf8)) }
    }
  }

  @Test("an outermost object without braces is Foundation's, with JSON5 and without")
  func anOutermostObjectWithoutBracesIsFoundations() {
    let texts = [
      "\"a\":1", "\"a\":1,\"b\":2", "", " ", "{\"a\":1}", " {\"a\":1} ", "\"a\":1}", "{\"a\":1",
      "\"a\"", "1", "[1]", "\"a\":", "\"a\":{\"b\":[1,2]}", "\n\"a\" : 1\n", "a:1", "'a':1",
      "\"a\":1 \"b\":2", "\"a\":1,\"a\":2", "null", "true", "/* x */ \"a\":1", "\"a\":1 // y",
      "{\"a\":1},\"b\":2", "{\"a\":1}{\"b\":2}", "{}", ",", ",\"a\":1", "\"a\":1,,\"b\":2",
      "\"a\":1\u{0}",
    ]
    for text in texts {
      let foundation = Foundation.JSONDecoder()
      foundation.assumesTopLevelDictionary = true
      let decoder = JSONDecoder()
      decoder.assumesTopLevelDictionary = true
      let here = try? decoder.decode(Literal.self, from: Data(text.utf8))
      let there = try? foundation.decode(Literal.self, from: Data(text.utf8))
      #expect(here == there, "\(text.debugDescription)")
    }
    for text in texts + ["a:1,b:2,", "a:1}", "// c\na:1", "a:'b'", "$:.5,"] {
      let (here, there) = outcomes(text, isTopLevelDictionary: true)
      switch (here, there) {
      case (.result(let left), .result(let right)):
        #expect(left == right, "\(text.debugDescription)")
      case (.failure, .failure): break
      default: Issue.record("\(text.debugDescription): \(here), but \(there) with Foundation")
      }
    }
  }
}

/// A text, as Swift would write down what is in it, keys in order.
private struct Literal: Decodable, Equatable {
  var literal: String

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      literal = "null"
    } else if let flag = try? container.decode(Bool.self) {
      literal = "\(flag)"
    } else if let number = try? container.decode(Double.self) {
      // The sign of a number that is none says nothing.
      literal = number.isNaN ? "nan" : "\(number)"
    } else if let text = try? container.decode(String.self) {
      literal = text.debugDescription
    } else if let list = try? container.decode([Literal].self) {
      literal = "[" + list.map(\.literal).joined(separator: ", ") + "]"
    } else {
      let object = try container.decode([String: Literal].self).sorted { $0.key < $1.key }
      literal =
        "["
        + object.map { "\($0.debugDescription): \($1.literal)" }.joined(separator: ", ") + "]"
    }
  }
}
