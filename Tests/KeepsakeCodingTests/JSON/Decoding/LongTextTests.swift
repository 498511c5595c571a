import Foundation
import KeepsakeBase
import Testing

@testable import KeepsakeCoding

/// Text that is read in chunks of several bytes: what matters may be at any offset of a chunk.
@Suite("Long text") struct LongTextTests {
  @Test("an escape is resolved at every place, and beside another")
  func escapes() throws {
    for (escape, meaning) in [#"\n"#: "\n", #"\u00e9"#: "é", #"\ud83d\ude00"#: "😀", #"\\"#: #"\"#] {
      for before in 0...40 {
        for (between, after) in [(0, 0), (1, 15), (15, 1), (16, 16), (17, 40)] {
          func text(_ escape: String, _ letter: String) -> String {
            String(repeating: letter, count: before) + escape
              + String(repeating: letter, count: between) + escape
              + String(repeating: letter, count: after)
          }
          for letter in ["a", "ü"] {
            let found = try JSON.Decoder().decode(
              [String].self, from: Data("[\"\(text(escape, letter))\"]".utf8))
            #expect(found == [text(meaning, letter)])
          }
        }
      }
    }
  }

  @Test("text of pieces of every kind is read however long it is")
  func anyLength() throws {
    let pieces = [
      ("plain", "plain"),
      ("a text of more than sixteen bytes", "a text of more than sixteen bytes"),
      ("ü", "ü"), ("漢字かな", "漢字かな"), ("👩‍🚀", "👩‍🚀"), (#"\n"#, "\n"), (#"\""#, "\""),
      (#"\/"#, "/"), (#"\u00FC"#, "ü"), (#"\u6f22"#, "漢"), (#"\uD83D\uDE00"#, "😀"),
      (#"\u0000"#, "\0"),
    ]
    var random = SeededRandom(seed: 7)
    // The last one needs more than the largest piece of memory that is kept.
    for (count, rounds) in [(1, 40), (4, 400), (30, 200), (1000, 20), (200_000, 1)] {
      for _ in 0..<rounds {
        // Most texts do not have all kinds.
        let kinds = pieces.shuffled(using: &random).prefix(Int.random(in: 1...5, using: &random))
        let chosen = (0..<count).map { _ in kinds.randomElement(using: &random)! }
        let written = chosen.map(\.0).joined()
        let meant = chosen.map(\.1).joined()
        let json = Data("{\"\(written)\":[\"\(written)\",\"\"]}".utf8)
        let found = try JSON.Decoder().decode([String: [String]].self, from: json)
        #expect(found.keys.first.map { Array($0.utf8) } == Array(meant.utf8))
        #expect(found.values.first?.first.map { Array($0.utf8) } == Array(meant.utf8))
        #expect(found.values.first?.count == 2)
        // A string that is taken for ASCII has as many UTF-16 units as bytes.
        #expect(found.values.first?.first?.utf16.count == meant.utf16.count)
        #expect(found.keys.first?.utf16.count == meant.utf16.count)
        let read = try JSON.read(Array(json)) { reader throws(JSON.Fault) in
          try reader.beginObject()
          var isFirst = true
          let key = try reader.nextKey(&isFirst)!.string
          let value = try reader.readArray { element throws(JSON.Fault) in
            try element.readString()
          }
          _ = try reader.nextKey(&isFirst)
          return [key] + value
        }
        #expect(read == [meant, meant, ""])
      }
    }
  }

  @Test("a byte that is not ASCII is noticed wherever it is in a long text")
  func nonASCII() throws {
    let plain = [UInt8](repeating: UInt8(ascii: "a"), count: 300)
    for place in plain.indices {
      for bytes in [Array("ü".utf8), [0xFF]] {
        let text = plain[..<place] + bytes + plain[place...]
        let json = Data([0x5B, 0x22] + text + [0x22, 0x5D])
        guard bytes.count == 2 else {
          #expect(throws: DecodingError.self) {
            try JSON.Decoder().decode([String].self, from: json)
          }
          continue
        }
        let found = try JSON.Decoder().decode([String].self, from: json)
        #expect(found.map { Array($0.utf8) } == [Array(text)] && found[0].count == 301)
      }
    }
  }

  @Test("base64 of every length is read as it was written")
  func base64() throws {
    for count in 0...200 {
      let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 97 &+ count) })
      let text = Data("[\"\(data.base64EncodedString())\"]".utf8)
      #expect(try JSON.Decoder().decode([Data].self, from: text) == [data])
    }
  }

  @Test("base64 with a byte that is not a digit is refused, wherever the byte is")
  func invalidBase64() throws {
    let text = Array(Data(repeating: 0x5A, count: 60).base64EncodedString().utf8)
    for place in text.indices {
      for byte in [UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "="), 0x7F] {
        var damaged = text
        damaged[place] = byte
        let json = Data("[\"\(String(decoding: damaged, as: UTF8.self))\"]".utf8)
        // Padding instead of the last digit alone leaves bits that stand for nothing.
        #expect(throws: DecodingError.self) { try JSON.Decoder().decode([Data].self, from: json) }
      }
    }
  }
}
