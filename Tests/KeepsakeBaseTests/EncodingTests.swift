import KeepsakeBase
import Testing

@Suite("Text encodings of bytes and characters") struct EncodingTests {
  @Test("Each byte becomes two hexadecimal digits, with leading zeros") func hexadecimal() {
    #expect(Hexadecimal.text(of: [0, 1, 0x9A, 0xFF]) == "00019aff")
    #expect(Hexadecimal.text(of: [UInt8]()).isEmpty)
    #expect(Hexadecimal.text(of: UInt64(0xABC)) == "0000000000000abc")
    #expect(Hexadecimal.text(of: UInt8(7)) == "07")
  }

  @Test("Random digits have the requested length and differ each time") func randomDigits() {
    let (one, other) = (Hexadecimal.random(byteCount: 16), Hexadecimal.random(byteCount: 16))
    #expect(one.count == 32 && other.count == 32 && one != other)
  }

  @Test(
    "Decoding a percent-encoded string returns the original",
    arguments: ["", "plain", "100 %", "%41", "ünï/cödé:%", "\u{0}\n\u{7F}", "🧩%"])
  func percentRoundTrip(string: String) {
    let text = PercentEncoding.encode(string) { _, scalar in
      scalar == "/" || scalar == ":" || scalar.value < 0x20
    }
    #expect(!text.contains("/") && !text.unicodeScalars.contains { $0.value < 0x20 })
    #expect(PercentEncoding.decode(text) == string)
  }

  @Test("A character can be selected for encoding by its index") func encodingByIndex() {
    #expect(PercentEncoding.encode(".a.b") { index, scalar in index == 0 } == "%2Ea.b")
    #expect(PercentEncoding.encode("é") { _, _ in true } == "%C3%A9")
  }

  @Test(
    "Malformed percent encoding is not decoded",
    arguments: ["%", "%4", "%G1", "%+1", "%-1", "%FF"])
  func malformed(text: String) {
    #expect(PercentEncoding.decode(text) == nil)
  }

  @Test("The same seed produces the same random numbers") func seeded() {
    var (one, other, different) = (
      SeededRandom(seed: 7), SeededRandom(seed: 7), SeededRandom(seed: 8)
    )
    let numbers = (0..<100).map { _ in one.next() }
    #expect(numbers == (0..<100).map { _ in other.next() })
    #expect(numbers != (0..<100).map { _ in different.next() })
    // The first output of the reference implementation for seed 0.
    var reference = SeededRandom(seed: 0)
    #expect(reference.next() == 0xE220_A839_7B1D_CDAF)
  }
}
