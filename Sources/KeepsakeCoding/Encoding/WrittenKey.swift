/// What keys that were written as JSON stand for: Foundation sorts keys by their UTF-8 without
/// escapes.
enum WrittenKey {
  /// A key without quotation marks and colon.
  @inline(__always)
  static func content(_ key: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    key.count > 3
      ? UnsafeBufferPointer(rebasing: key[1..<(key.count - 2)]) : .init(start: nil, count: 0)
  }

  /// The bytes that text with the escapes of ``JSON/Writer`` stands for.
  static func unescaped(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      guard text[index] == UInt8(ascii: "\\"), index + 1 < text.count else {
        result.append(text[index])
        index += 1
        continue
      }
      index += 2
      switch text[index - 1] {
      case UInt8(ascii: "b"): result.append(0x08)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "f"): result.append(0x0C)
      case UInt8(ascii: "r"): result.append(0x0D)
      case UInt8(ascii: "u"):
        let digits = String(decoding: text[index..<min(index + 4, text.count)], as: UTF8.self)
        result.append(UInt8(digits, radix: 16) ?? 0)
        index += 4
      case let byte: result.append(byte)
      }
    }
    return result
  }
}
