import KeepsakeCoding
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("The text of a UUID") struct UUIDTextTests {
  @Test("is read as Foundation reads it, but only of digits and dashes") func bytes() {
    let text = Array("E621E1F8-c36c-495A-93fc-0C247A3E6e5F".utf8)
    for place in text.indices {
      for byte in 0...UInt8.max {
        var changed = text
        changed[place] = byte
        // In a Swift string, what is no UTF-8 is three other bytes.
        let string = String(decoding: changed, as: UTF8.self)
        let isDash = UnicodeScalar(text[place]) == "-"
        let isRight = isDash ? byte == text[place] : Character(UnicodeScalar(byte)).isHexDigit
        // Foundation reads through C's scanf, which takes spaces and signs before digits.
        #expect(UUID(text: string) == (isRight ? UUID(uuidString: string) : nil), "\(string)")
      }
    }
  }

  @Test("is read only whole", arguments: [0, 1, 8, 35, 37, 72]) func length(_ count: Int) {
    let text = String(repeating: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", count: 2).prefix(count)
    #expect(UUID(text: String(text)) == nil)
  }

  @Test("says what any text did") func random() {
    for _ in 0..<10_000 {
      let uuid = UUID()
      #expect(UUID(text: uuid.uuidString) == uuid)
      #expect(UUID(text: uuid.uuidString.lowercased()) == uuid)
      #expect(uuid.text == uuid.uuidString)
    }
  }
}
