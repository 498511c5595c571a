/// Bytes and numbers as hexadecimal digits, two for each byte.
package enum Hexadecimal {
  /// The lowercase digits of bytes.
  ///
  /// - Complexity: O(*n*).
  package static func text(of bytes: some Sequence<UInt8>) -> String {
    var text = ""
    for byte in bytes {
      text.unicodeScalars.append(digit(byte >> 4))
      text.unicodeScalars.append(digit(byte & 0xF))
    }
    return text
  }

  /// The lowercase digits of a number, with leading zeros up to the width of its type.
  package static func text(of number: some FixedWidthInteger) -> String {
    withUnsafeBytes(of: number.bigEndian) { text(of: $0) }
  }

  /// The digits of random bytes from the system's generator.
  package static func random(byteCount: Int) -> String {
    var random = SystemRandomNumberGenerator()
    return text(of: (0..<byteCount).map { _ in UInt8.random(in: .min ... .max, using: &random) })
  }

  private static func digit(_ value: UInt8) -> Unicode.Scalar {
    Unicode.Scalar(value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10)
  }
}
