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
      let first = position.pointee
      if first < 0x80 {
        position += max(1, Chunk(position).nonASCII.first)
        continue
      }
      // Four bytes at once, the first one highest; those past the end are caught by the length.
      let word = UInt32(
        bigEndian: UnsafeRawPointer(position).loadUnaligned(as: UInt32.self))
      let length: Int
      switch first {
      case 0xE0...0xEF:
        // 1110xxxx 10xxxxxx 10xxxxxx, from U+0800, without U+D800 to U+DFFF.
        let value = word >> 8 & 0x0F_3F3F
        guard word & 0x00C0_C000 == 0x0080_8000, value >= 0x2000, value & 0xF_2000 != 0xD_2000
        else { return position }
        length = 3
      case 0xC2...0xDF:
        guard word & 0x00C0_0000 == 0x0080_0000 else { return position }
        length = 2
      case 0xF0...0xF4:
        // From U+10000 to U+10FFFF.
        guard word & 0x00C0_C0C0 == 0x0080_8080, word >= 0xF090_8080, word < 0xF490_0000
        else { return position }
        length = 4
      default: return position
      }
      guard position + length <= end else { return position }
      position += length
    }
    return nil
  }
}
