#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Foundation goes through C's formatted reading and writing for these, which takes longer than all
/// else of a value that holds one.
extension UUID {
  /// Where in the text the hyphens are, before the bytes of these numbers.
  @inline(__always)
  private static func hasHyphen(before byte: Int) -> Bool {
    byte == 4 || byte == 6 || byte == 8 || byte == 10
  }

  /// Reads `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`, in letters of either case.
  init?(text: UnsafeBufferPointer<UInt8>) {
    guard text.count == 36 else { return nil }
    let hyphen = UInt8(ascii: "-")
    guard text[8] == hyphen, text[13] == hyphen, text[18] == hyphen, text[23] == hyphen else {
      return nil
    }
    let raw = UnsafeRawBufferPointer(text)
    func four(_ offset: Int) -> UInt64 {
      UInt64(UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }
    guard let first = Self.bytes(ofDigits: four(0) | four(4) << 32),
      let second = Self.bytes(ofDigits: four(9) | four(14) << 32),
      let third = Self.bytes(ofDigits: four(19) | four(24) << 32),
      let fourth = Self.bytes(ofDigits: four(28) | four(32) << 32)
    else { return nil }
    self.init(uuid: unsafeBitCast((first, second, third, fourth), to: uuid_t.self))
  }

  /// The four bytes that eight hexadecimal digits say, all digits at once; the first of either is the
  /// lowest byte of its word.
  @inline(__always)
  private static func bytes(ofDigits digits: UInt64) -> UInt32? {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let signs = ones << 7
    /// The sign of each byte that is at least a bound and below another; of bytes below 128.
    func inRange(_ bytes: UInt64, _ low: UInt64, _ high: UInt64) -> UInt64 {
      (bytes &+ ones &* (128 - low)) & ~(bytes &+ ones &* (128 - high))
    }
    let isDigit = inRange(digits, 48, 58)
    let isLetter = inRange(digits | ones &* 32, 97, 103)
    guard digits & signs == 0, (isDigit | isLetter) & signs == signs else { return nil }
    var values = (digits & (ones &* 15)) &+ ((isLetter & signs) >> 7) &* 9
    values = (values << 4 | values >> 8) & 0x00FF_00FF_00FF_00FF
    values = (values | values >> 8) & 0x0000_FFFF_0000_FFFF
    return UInt32(truncatingIfNeeded: values | values >> 16).littleEndian
  }

  /// Reads a text, as the one above.
  package init?(text: String) {
    var text = text
    guard let uuid = text.withUTF8({ UUID(text: $0) }) else { return nil }
    self = uuid
  }

  /// The text, as `uuidString` has it.
  package var text: String {
    String(unsafeUninitializedCapacity: 36) { buffer in
      write(to: buffer.baseAddress!)
      return 36
    }
  }

  /// Writes the 36 letters of the text, as `uuidString` has them.
  @inline(__always)
  func write(to text: UnsafeMutablePointer<UInt8>) {
    let (high, low) = unsafeBitCast(uuid, to: (UInt64, UInt64).self)
    var offset = 0
    for byte in 0..<16 {
      if Self.hasHyphen(before: byte) {
        text[offset] = UInt8(ascii: "-")
        offset += 1
      }
      let word = byte < 8 ? high.bigEndian : low.bigEndian
      let value = UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * (byte & 7)))
      text[offset] = Self.letter(value >> 4)
      text[offset + 1] = Self.letter(value & 0xF)
      offset += 2
    }
  }

  @inline(__always)
  private static func letter(_ digit: UInt8) -> UInt8 {
    digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") - 10 + digit
  }
}
