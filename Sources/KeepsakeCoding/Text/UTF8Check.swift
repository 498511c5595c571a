/// Whether bytes are UTF-8 (Unicode 17, table 3-7): no overlong forms, no surrogates, nothing past
/// U+10FFFF.
@usableFromInline enum UTF8Check {
  /// The first byte of the first sequence that is not valid.
  ///
  /// - Parameter end: Where the text ends; at least 16 bytes can be loaded from there.
  @usableFromInline static func firstInvalid(
    from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8>? {
    var position = start
    while position < end {
      if position.pointee < 0x80 {
        let nonASCII = Chunk(position).nonASCII
        position += nonASCII.isEmpty ? 16 : nonASCII.first
        continue
      }
      let length = length(at: position)
      guard length > 0, position + length <= end else { return position }
      position += length
    }
    return nil
  }

  /// The length of the sequence here, whose first byte is not ASCII; 0 if it is not valid.
  ///
  /// - Parameter position: Where four bytes can be loaded.
  @inline(__always)
  static func length(at position: UnsafePointer<UInt8>) -> Int {
    // Four bytes at once, the first one highest; those past the end are caught by the length.
    let word = UInt32(bigEndian: UnsafeRawPointer(position).loadUnaligned(as: UInt32.self))
    switch word >> 24 {
    case 0xE0...0xEF:
      // 1110xxxx 10xxxxxx 10xxxxxx, from U+0800, without U+D800 to U+DFFF.
      let value = word >> 8 & 0x0F_3F3F
      return word & 0x00C0_C000 == 0x0080_8000 && value >= 0x2000 && value & 0xF_2000 != 0xD_2000
        ? 3 : 0
    case 0xC2...0xDF: return word & 0x00C0_0000 == 0x0080_0000 ? 2 : 0
    case 0xF0...0xF4:
      // From U+10000 to U+10FFFF.
      return word & 0x00C0_C0C0 == 0x0080_8080 && word >= 0xF090_8080 && word < 0xF490_0000 ? 4 : 0
    default: return 0
    }
  }
}
