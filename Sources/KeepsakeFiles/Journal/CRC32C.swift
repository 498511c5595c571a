import CSystemCalls

/// The Castagnoli cyclic redundancy check (RFC 3720, appendix B.4), computed with the processor's
/// instruction if it has one, otherwise with tables, eight bytes at a time.
package struct CRC32C: Sendable {
  private var state: UInt32 = ~0

  package init() {}

  /// The checksum of all bytes so far.
  package var value: UInt32 { ~state }

  /// Adds bytes.
  ///
  /// - Complexity: O(*n*).
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    if Self.hasInstruction {
      state = keepsake_crc32c(state, bytes.baseAddress, UInt(bytes.count))
    } else {
      updateByTables(bytes)
    }
  }

  private static let hasInstruction = keepsake_has_crc32c() != 0

  mutating func updateByTables(_ bytes: UnsafeRawBufferPointer) {
    state = Self.tables.withUnsafePointer { table in
      var crc = state
      var offset = 0
      while offset + 8 <= bytes.count {
        let word =
          UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
          ^ UInt64(crc)
        crc =
          table[7 * 256 + Int(word & 0xff)]
          ^ table[6 * 256 + Int(word >> 8 & 0xff)]
          ^ table[5 * 256 + Int(word >> 16 & 0xff)]
          ^ table[4 * 256 + Int(word >> 24 & 0xff)]
          ^ table[3 * 256 + Int(word >> 32 & 0xff)]
          ^ table[2 * 256 + Int(word >> 40 & 0xff)]
          ^ table[1 * 256 + Int(word >> 48 & 0xff)]
          ^ table[Int(word >> 56)]
        offset += 8
      }
      while offset < bytes.count {
        crc = crc >> 8 ^ table[Int(UInt8(truncatingIfNeeded: crc) ^ bytes[offset])]
        offset += 1
      }
      return crc
    }
  }

  /// The checksum of some bytes.
  package static func of(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    var crc = CRC32C()
    crc.update(bytes)
    return crc.value
  }

  private static let tables = Tables()

  /// `@unchecked Sendable`: written once, before it is shared, and only read afterwards.
  private final class Tables: @unchecked Sendable {
    private let entries: UnsafeMutablePointer<UInt32>

    init() {
      entries = .allocate(capacity: 8 * 256)
      for byte in 0..<256 {
        var crc = UInt32(byte)
        for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0x82F6_3B78 : crc >> 1 }
        entries[byte] = crc
      }
      for slice in 1..<8 {
        for byte in 0..<256 {
          let previous = entries[(slice - 1) * 256 + byte]
          entries[slice * 256 + byte] = previous >> 8 ^ entries[Int(previous & 0xff)]
        }
      }
    }

    deinit { entries.deallocate() }

    func withUnsafePointer<Result>(_ body: (UnsafePointer<UInt32>) -> Result) -> Result {
      body(entries)
    }
  }
}
