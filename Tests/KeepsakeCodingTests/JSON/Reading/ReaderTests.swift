import Foundation
import KeepsakeCoding
import Testing

/// `JSON.read`: what generated code reads with.
@Suite struct ReaderTests {
  struct Point: Equatable {
    var x = 0.0
    var y = 0.0
    var tags: [String] = []

    init(_ reader: inout JSON.Reader) throws(JSON.Fault) {
      try reader.beginObject()
      var isFirst = true
      while let key = try reader.nextKey(&isFirst) {
        if key.matches("x") {
          x = try reader.readDouble()
        } else if key.matches("y") {
          y = try reader.readDouble()
        } else if key.matches("täg") {
          tags = try reader.readArray { reader throws(JSON.Fault) in try reader.readString() }
        } else {
          try reader.skipValue()
        }
      }
    }
  }

  private func point(_ text: String, depth: Int = 512) throws(JSON.ParseError) -> Point {
    try JSON.read(Array(text.utf8), maximumDepth: depth) { reader throws(JSON.Fault) in
      try Point(&reader)
    }
  }

  @Test("Fields come by their keys, escaped or not, and others are passed over")
  func fieldsComeByTheirKeys() throws {
    let text =
      #" {"other": [{"a": [1, "]"]}, null], "\u0078": 1.5, "t\u00e4g": ["a\n", ""], "y": -0} "#
    let read = try point(text)
    #expect(read.x == 1.5 && read.y == 0 && read.tags == ["a\n", ""])
  }

  @Test("What is passed over is checked all the same") func whatIsPassedOverIsCheckedAll() {
    for other in ["01", "[1,]", "{\"a\"}", "tru", "\"\\x\"", "\"\u{1}\"", "[1 2]", "{,}", "nul"] {
      #expect(throws: JSON.ParseError.self) { try point("{\"other\": \(other)}") }
    }
  }

  @Test("An error says where it is, and shows the line") func anErrorSays() throws {
    let text = "{\n\t\"x\": 1,\n\t\"täg\": [\"ä\", 12]\n}"
    let error = try #require(throws: JSON.ParseError.self) { try point(text) }
    #expect(error.reason == .expectedString)
    #expect(error.location.line == 3)
    #expect(error.location.column == 15)
    #expect(error.path == [.key("täg"), .index(1)])
    #expect(
      error.location.excerpt == " \"täg\": [\"ä\", 12]\n" + String(repeating: " ", count: 14) + "^")
  }

  @Test("A long line is cut on both sides, between characters") func aLongLineIsCutOnBoth() throws {
    let filling = String(repeating: "ä", count: 100)
    let error = try #require(throws: JSON.ParseError.self) {
      try point("{\"a\":\"\(filling)\",\"b\":x,\"c\":\"\(filling)\"}")
    }
    let lines = error.location.excerpt.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].hasPrefix("…") && lines[0].hasSuffix("…"))
    #expect(!lines[0].contains("\u{FFFD}"))
    let caret = try #require(lines[1].firstIndex(of: "^"))
    let distance = lines[1].distance(from: lines[1].startIndex, to: caret)
    #expect(lines[0].dropFirst(distance).hasPrefix("x"))
  }

  @Test("Nothing may follow the value, nor be missing from it") func nothingMayFollowTheValue() {
    for text in ["{} x", "{}{}", "", "{", "{\"x\"", "{\"x\":", "{\"x\":1", "{\"x\":1,", "{\"x"] {
      let error = #expect(throws: JSON.ParseError.self, "\(text)") { try point(text) }
      #expect(error?.location.offset ?? .max <= text.utf8.count)
    }
  }

  @Test("The depth is limited, and opened again by what is closed") func theDepthIsLimited() throws
  {
    #expect(throws: JSON.ParseError.self) { try point(#"{"a":[[1]]}"#, depth: 2) }
    _ = try point(#"{"a":[1],"b":[2],"c":{"d":3}}"#, depth: 2)
  }

  @Test("Of two equal keys of a dictionary the first counts") func ofTwoEqualKeysOfADictionary()
    throws
  {
    let read = try JSON.read(Array(#"{"a":1,"\u0061":2,"b":null}"#.utf8)) {
      reader throws(JSON.Fault) in
      try reader.readDictionary { reader throws(JSON.Fault) -> Int? in
        try reader.readNull() ? nil : try reader.readInteger()
      }
    }
    #expect(read == ["a": 1, "b": nil])
  }
}
