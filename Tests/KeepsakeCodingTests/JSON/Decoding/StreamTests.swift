import Foundation
import KeepsakeCoding
import Testing

/// Several values in one text, other encodings, and the limits of what is read.
@Suite struct StreamTests {
  private func each<T: Decodable>(_ type: T.Type, _ text: String) throws -> [T] {
    var values: [T] = []
    try JSON.Decoder().decodeEach(type, from: Data(text.utf8)) { values.append($0) }
    return values
  }

  @Test("Values may follow one another with whitespace or nothing between them")
  func valuesMayFollowOneAnotherWithWhitespace() throws {
    #expect(try each(Int.self, "1\n2\r\n\n 3 ") == [1, 2, 3])
    #expect(try each([Int].self, "[1][2]\n[]") == [[1], [2], []])
    #expect(try each(String.self, #""a""b""#) == ["a", "b"])
    #expect(try each(Int.self, " \n") == [])
  }

  @Test(
    "A number or a word ends before the next",
    arguments: ["1-2", "1.0.5", "truefalse", "nullnull", "true1", "1e5e5"])
  func aNumberOrAWordEndsBefore(text: String) {
    #expect(throws: DecodingError.self) { try each(JSON.Value.self, text) }
  }

  @Test("The place of an error is counted from the start of the text")
  func thePlaceOfAnErrorIsCounted() throws {
    let error = #expect(throws: DecodingError.self) {
      try each([String: Int].self, "{\"a\":1}\n{\"a\":2}\n\n{\"b\":\"x\"}")
    }
    #expect(error?.location?.line == 4)
    #expect(error?.location?.column == 6)
    #expect(error?.location?.offset == 22)
  }

  @Test("UTF-16 and UTF-32 are read, with a mark and without") func utf16AndUTF32AreRead() throws {
    let text = #"{"ä":"😀"}"#
    for encoding in [
      String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32, .utf32LittleEndian,
      .utf32BigEndian, .utf8,
    ] {
      let data = try #require(text.data(using: encoding))
      #expect(try JSON.Decoder().decode([String: String].self, from: data) == ["ä": "😀"])
      #expect(throws: DecodingError.self) {
        try JSON.Decoder().decode([String: String].self, from: data.dropLast())
      }
    }
    #expect(try JSON.Decoder().decode(Int.self, from: [0xEF, 0xBB, 0xBF, 0x31]) == 1)
    for bytes: [UInt8] in [
      [], [0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF], [0, 0, 0xFE, 0xFF], [0], [0, 0],
      [0x22, 0, 0, 0xD8, 0x22, 0], [0x22, 0, 0, 0xDC, 0x22, 0], [0x31, 0, 0],
    ] {
      #expect(throws: DecodingError.self) {
        try JSON.Decoder().decode(JSON.Value.self, from: bytes)
      }
    }
  }

  @Test("Limits of depth and of size hold") func limitsOfDepthAndOfSizeHold() throws {
    let decoder = JSON.Decoder()
    let deep = { String(repeating: "[", count: $0) + String(repeating: "]", count: $0) }
    _ = try decoder.decode(JSON.Value.self, from: Array(deep(512).utf8))
    for count in [513, 100_000] {
      let error = #expect(throws: DecodingError.self) {
        try decoder.decode(JSON.Value.self, from: Array(deep(count).utf8))
      }
      #expect(error?.location?.offset == 512)
    }
    decoder.maximumByteCount = 4
    #expect(try decoder.decode([Int].self, from: Array("[12]".utf8)) == [12])
    #expect(throws: DecodingError.self) {
      try decoder.decode([Int].self, from: Array("[123]".utf8))
    }
  }

  @Test("An object may lack its braces where that is allowed") func anObjectMayLackItsBraces()
    throws
  {
    let decoder = JSON.Decoder()
    decoder.assumesTopLevelDictionary = true
    #expect(
      try decoder.decode([String: Int].self, from: Array(#""a":1,"b":2"#.utf8)) == ["a": 1, "b": 2])
    #expect(try decoder.decode([String: Int].self, from: Array(#"{"a":1}"#.utf8)) == ["a": 1])
    for text in [#""a":1,"#, #""a":1}"#, #""a""#, "[1]", #""a":1 "b":2"#] {
      #expect(throws: DecodingError.self, "\(text)") {
        try decoder.decode([String: Int].self, from: Array(text.utf8))
      }
    }
    let error = #expect(throws: DecodingError.self) {
      try decoder.decode([String: [Int]].self, from: Array(#""a":[1],"b":[2,x]"#.utf8))
    }
    guard case .dataCorrupted(let context)? = error else { return }
    #expect(context.codingPath.map(\.stringValue) == ["b", "Index 1"])
  }

  @Test("A date may have escapes in it") func aDateMayHaveEscapesInIt() throws {
    let decoder = JSON.Decoder()
    decoder.dateDecodingStrategy = .iso8601
    let text = #"["2001-01-01T00:00:01\u005a"]"#
    #expect(
      try decoder.decode([Date].self, from: Array(text.utf8))
        == [Date(timeIntervalSinceReferenceDate: 1)])
  }
}
