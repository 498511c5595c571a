extension JSON.Writer {
  /// The written text with lines and indents as Foundation's pretty printing has them.
  ///
  /// The text is laid out once it is whole, so that writing it knows nothing of layout.
  ///
  /// - Complexity: O(*n* + *m*), the lengths without and with the layout.
  func laidOut() -> JSON.Writer {
    var output = JSON.Writer(capacity: count * 2)
    var indent = 0
    var offset = 0
    let bytes = UnsafeBufferPointer(start: base, count: count)
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        indent += 1
        output.append(byte)
        if offset < bytes.count, bytes[offset] == byte + 2 {
          // An empty container has an empty line.
          output.append(UInt8(ascii: "\n"))
        } else {
          output.appendLine(indent: indent)
        }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        indent -= 1
        output.appendLine(indent: indent)
        output.append(byte)
      case UInt8(ascii: ","):
        output.append(byte)
        output.appendLine(indent: indent)
      case UInt8(ascii: ":"):
        output.append(" : ")
      case UInt8(ascii: "\""):
        let end = JSON.Writer.endOfString(bytes, from: offset)
        output.append(
          UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[(offset - 1)..<end]))
        offset = end
      default:
        output.append(byte)
      }
    }
    return output
  }

  private mutating func appendLine(indent: Int) {
    append(UInt8(ascii: "\n"))
    for _ in 0..<max(indent, 0) { append("  ") }
  }

  /// The offset after the quotation mark that ends a string, or the end of the bytes.
  ///
  /// - Parameter start: The offset after the quotation mark that begins it.
  static func endOfString(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var offset = start
    while offset < bytes.count {
      if bytes.count - offset >= 16, let base = bytes.baseAddress {
        let block = UnsafeRawPointer(base + offset).loadUnaligned(as: SIMD16<UInt8>.self)
        let found =
          (block .== SIMD16<UInt8>(repeating: UInt8(ascii: "\"")))
          .| (block .== SIMD16<UInt8>(repeating: UInt8(ascii: "\\")))
        let words = unsafeBitCast(found, to: SIMD2<UInt64>.self)
        if words[0] | words[1] == 0 {
          offset += 16
          continue
        }
      }
      let byte = bytes[offset]
      if byte == UInt8(ascii: "\"") { return offset + 1 }
      offset += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    return bytes.count
  }
}
