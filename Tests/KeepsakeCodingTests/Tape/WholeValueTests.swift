import Testing

@testable import KeepsakeCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Arrays, dictionaries and optionals") struct WholeValueTests {
  private struct Large: Codable, Equatable {
    var name = "a name that is longer than a string holds by itself"
    var list = ["one", "two"]
    var numbers = (0..<6).map(Double.init)
    var more: [String: [Int?]] = ["a": [1, nil, 3]]
    var last = UInt8(255)
  }

  @Test("of values of any size are decoded from every format")
  func ofValuesOfAnySizeAreDecodedFromEveryFormat() throws {
    struct Everything: Codable, Equatable {
      var large: Large? = Large()
      var none: Large??
      var rows: [[Large?]] = [[Large(), nil], [], [Large()]]
      var table: [String: Large] = ["x": Large(), "y": Large()]
      var bytes: [UInt8] = [0, 127, 255]
      var texts: [String: String] = ["": "a", "b": "a text that is longer than others are here"]
      var counts: [String: Int] = ["a": .min, "b": .max]
      var shares: [String: Double] = ["a": -0.5]
    }
    let value = Everything()
    #expect(
      try JSON.Decoder().decode(Everything.self, from: JSON.Encoder().encode(value)) == value)
    for format in [PropertyList.Format.xml, .binary] {
      let encoder = PropertyList.Encoder()
      encoder.outputFormat = format
      let data = try encoder.encode(value)
      #expect(try PropertyList.Decoder().decode(Everything.self, from: data) == value)
    }
  }

  @Test("with a wrong value at their end leave nothing behind")
  func withAWrongValueAtTheirEndLeaveNothingBehind() throws {
    let good = try String(decoding: JSON.Encoder().encode(Large()), as: UTF8.self)
    for text in [
      "[[\(good), \(good)], [\(good), 1]]", "{\"a\": [\(good)], \"b\": [\(good), {}]}",
    ] {
      for _ in 0..<10 {
        #expect(throws: DecodingError.self) {
          try JSON.Decoder().decode([[Large?]].self, from: Array(text.utf8))
        }
        #expect(throws: DecodingError.self) {
          try JSON.Decoder().decode([String: [Large]].self, from: Array(text.utf8))
        }
      }
    }
  }

  @Test("in a file that names long text many times share it, and errors name the place of each")
  func inAFileThatNamesLongTextManyTimesShareIt() throws {
    let text = String(repeating: "long text beyond ASCII: é. ", count: 20)
    let list = PropertyList.Value.array([.string(text), .string(text), .string("é"), .integer(1)])
    let bytes = list.serializedBinary()
    #expect(try PropertyList.Decoder().decode([JSON.Value].self, from: bytes).count == 4)
    for index in 0..<3 {
      struct Element: Decodable {
        init(from decoder: any Swift.Decoder) throws {
          var list = try decoder.unkeyedContainer()
          let index = decoder.userInfo[CodingUserInfoKey(rawValue: "index")!] as? Int ?? 0
          for _ in 0..<index { _ = try list.decode(String.self) }
          _ = try list.decode(Int.self)
        }
      }
      let decoder = PropertyList.Decoder()
      decoder.userInfo = [CodingUserInfoKey(rawValue: "index")!: index]
      let error = #expect(throws: DecodingError.self) {
        try decoder.decode(Element.self, from: bytes)
      }
      let offset = try #require(error?.location?.offset)
      // The marker of a text in UTF-16.
      #expect(bytes[offset] >> 4 == 6)
    }
  }
}
