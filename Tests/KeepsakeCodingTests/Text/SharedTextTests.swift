import FoundationEssentials
import Testing

@testable import KeepsakeCoding

/// What the formats share to read and write text.
@Suite("Text") struct TextTests {
  @Test("is checked to be UTF-8 up to its last byte") func isCheckedToBeUTF8Up() {
    var random = SystemRandomNumberGenerator()
    let pieces: [[UInt8]] = [
      [0x41], [0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49], [0xC3, 0xA9], [0xE2, 0x82, 0xAC],
      [0xF0, 0x9F, 0x98, 0x80], [0x80], [0xC3], [0xE2, 0x82], [0xF0, 0x9F], [0xED, 0xA0, 0x80],
      [0xC0, 0x80], [0xF4, 0x90, 0x80, 0x80],
    ]
    for _ in 0..<100_000 {
      var bytes: [UInt8] = []
      let valid = Int.random(in: 0..<14, using: &random)
      for _ in 0..<valid { bytes += pieces[Int.random(in: 0..<5, using: &random)] }
      if Bool.random(using: &random) {
        bytes += pieces[Int.random(in: 5..<pieces.count, using: &random)]
        for _ in 0..<Int.random(in: 0..<8, using: &random) { bytes += pieces[0] }
      }
      var parser = UTF8.ForwardParser()
      var iterator = bytes.makeIterator()
      var offset = 0
      while case .valid(let scalar) = parser.parseScalar(from: &iterator) { offset += scalar.count }
      let found = bytes.withUnsafeBufferPointer { UTF8Check.firstInvalid(in: $0) }
      #expect(found == (offset == bytes.count ? nil : offset), "\(bytes)")
    }
  }

  @Test("in base64 is Foundation's, and is read back") func inBase64IsFoundations() {
    for count in 0..<400 {
      let data = Data((0..<count).map { _ in UInt8.random(in: .min ... .max) })
      var text = [UInt8](repeating: 0, count: (count + 2) / 3 * 4)
      text.withUnsafeMutableBufferPointer { text in
        guard let start = text.baseAddress else { return }
        let end = data.withUnsafeBytes { Base64.encode($0, to: start) }
        #expect(end - start == (count == 0 ? 0 : text.count))
      }
      #expect(String(decoding: text, as: UTF8.self) == data.base64EncodedString())
      // Whitespace may stand anywhere.
      var spaced = text
      for _ in 0..<(count % 7) { spaced.insert(0x20, at: Int.random(in: 0...spaced.count)) }
      var output = [UInt8](repeating: 0, count: spaced.count / 4 * 3 + 6)
      let result = spaced.withUnsafeBufferPointer { spaced in
        output.withUnsafeMutableBytes { Base64.decode(spaced, allowsWhitespace: true, into: $0) }
      }
      #expect(result.invalid == nil)
      #expect(Data(output.prefix(result.length)) == data)
    }
  }

  @Test("of dates with any number of digits is the double next to it")
  func ofDatesWithAnyNumberOfDigits() {
    func seconds(_ text: String) -> Double? {
      var text = text
      return text.withUTF8 { bytes in
        bytes.baseAddress.flatMap { ISO8601.seconds(of: $0, count: bytes.count) }
      }
    }
    #expect(seconds("2001-01-01T00:00:00Z") == 0)
    #expect(seconds("2001-01-01T01:00:00.25+01:00") == 0.25)
    #expect(seconds("2000-12-31T23:59:59.75Z") == -0.25)
    #expect(seconds("2001-01-01t00:00:00.1000000000000000055511151231257827z") == 0.1)
    #expect(seconds("2000-12-31T23:59:59.9000000000000000000000000001Z") == -0.1)
    #expect(seconds("2025-11-21T01:02:03.123456789123456789Z") == 785379723.123456789123456789)
    #expect(seconds("2001-02-29T00:00:00Z") == nil)
    #expect(seconds("2001-01-01T00:00:00.Z") == nil)
    #expect(seconds("2001-01-01T00:00:00") == nil)
  }
}
