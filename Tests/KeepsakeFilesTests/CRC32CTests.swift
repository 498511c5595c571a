import Testing
@testable import KeepsakeFiles

@Suite("CRC-32C") struct CRC32CTests {
  @Test("The checksum matches RFC 3720, by instruction and by tables") func rfc3720Vectors() {
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
