import Testing
@testable import KeepsakeFiles

@Suite("The checksum of a record") struct CRC32CTests {
  @Test("is the one of RFC 3720, by the processor and by tables") func isTheOneOfRFC3720() {
    let cases: [([UInt8], UInt32)] = [
      (Array("123456789".utf8), 0xE306_9283),
      ([UInt8](repeating: 0, count: 32), 0x8A91_36AA),
      ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43),
      (Array(0..<32), 0x46DD_794E),
      ([], 0),
    ]
    for (bytes, expected) in cases {
      bytes.withUnsafeBytes { bytes in
        #expect(CRC32C.of(bytes) == expected)
        var tables = CRC32C()
        tables.updateByTables(bytes)
        #expect(tables.value == expected)
      }
    }
  }
}
