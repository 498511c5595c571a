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
    var (high, low): (UInt64, UInt64) = (0, 0)
    var offset = 0
    for byte in 0..<16 {
      if Self.hasHyphen(before: byte) {
        guard text[offset] == UInt8(ascii: "-") else { return nil }
        offset += 1
      }
      let (upper, lower) = (Self.digit(text[offset]), Self.digit(text[offset + 1]))
      guard upper | lower < 16 else { return nil }
      let value = UInt64(upper << 4 | lower)
      if byte < 8 { high = high << 8 | value } else { low = low << 8 | value }
      offset += 2
    }
    self.init(uuid: unsafeBitCast((high.bigEndian, low.bigEndian), to: uuid_t.self))
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

  @inline(__always)
  private static func digit(_ byte: UInt8) -> UInt8 {
    let digit = byte &- UInt8(ascii: "0")
    if digit < 10 { return digit }
    let letter = (byte | 0x20) &- UInt8(ascii: "a")
    return letter < 6 ? letter + 10 : 0xFF
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
