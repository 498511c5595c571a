import Foundation
import KeepsakeCoding
import Testing

@Suite("JSON values and property lists")
struct JSONValueTests {
  private static let value: PropertyList.Value = [
    "list": [1, 2.5, true, false, "text", [:], []], "deep": ["er": [["x": -1]]],
    "large": .unsigned(.max), "small": .integer(.min), "null": "$null", "": "",
  ]

  private static let json: JSON.Value = [
    "list": [1, 2.5, true, false, "text", [:], []], "deep": ["er": [["x": -1]]],
    "large": .number(JSON.Number(UInt64.max)), "small": .number(JSON.Number(Int64.min)),
    "null": nil, "": "",
  ]

  @Test("are decoded from property lists of every format, and encoded into them")
  func areDecodedFromPropertyListsOfEvery() throws {
    let decoder = PropertyList.Decoder()
    for bytes in [Self.value.serializedXML(), Self.value.serializedBinary()] {
      #expect(try decoder.decode(JSON.Value.self, from: bytes) == Self.json)
      // A decoder of somebody else's is asked for one type after another.
      #expect(
        try PropertyListDecoder().decode(JSON.Value.self, from: Data(bytes)) == Self.json)
    }
    #expect(try decoder.decode(JSON.Value.self, from: Self.value) == Self.json)
    #expect(try PropertyList.Encoder().encodeToValue(Self.json) == Self.value)
  }

  @Test("are not decoded from what JSON has not") func areNotDecodedFromWhatJSONHas() throws {
    let decoder = PropertyList.Decoder()
    for value: PropertyList.Value in [
      .date(Date(timeIntervalSinceReferenceDate: 0)), .data(Data([1])), .real(.infinity),
      .real(.nan),
    ] {
      let error = #expect(throws: DecodingError.self) {
        try decoder.decode(
          JSON.Value.self, from: PropertyList.Value.array([1, value]).serializedBinary())
      }
      switch error {
      case .typeMismatch(_, let context)?, .dataCorrupted(let context)?:
        #expect(context.codingPath.map(\.stringValue) == ["Index 1"])
      default: Issue.record("\(value): \(String(describing: error))")
      }
    }
  }

  @Test("are decoded however deep they are") func areDecodedHoweverDeepTheyAre() throws {
    var value: PropertyList.Value = ["end": 1]
    var expected: JSON.Value = ["end": 1]
    for _ in 0..<500 {
      value = [value]
      expected = [expected]
    }
    #expect(
      try PropertyList.Decoder().decode(JSON.Value.self, from: value.serializedBinary())
        == expected)
  }
}
