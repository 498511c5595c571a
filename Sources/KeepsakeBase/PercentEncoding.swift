/// Percent-encoding of characters, byte for byte in UTF-8, as in RFC 3986, section 2.
package enum PercentEncoding {
  /// Encodes some characters of a string, and every percent sign, as `%` and two digits for each byte.
  ///
  /// - Parameter isEncoded: Whether to encode a character other than the percent sign; receives its index
  ///   in the string.
  /// - Complexity: O(*n*).
  package static func encode(
    _ string: String, where isEncoded: (_ index: Int, _ scalar: Unicode.Scalar) -> Bool
  ) -> String {
    var text = ""
    for (index, scalar) in string.unicodeScalars.enumerated() {
      if scalar == "%" || isEncoded(index, scalar) {
        for byte in UTF8.encode(scalar)! {
          text += "%" + Hexadecimal.text(of: byte).uppercased()
        }
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// The string that was encoded, or `nil` if a percent sign is not followed by two hexadecimal
  /// digits or the bytes are not UTF-8.
  ///
  /// - Complexity: O(*n*).
  package static func decode(_ text: String) -> String? {
    decodeBytes(text).flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// The bytes that were encoded, or `nil` if a percent sign is not followed by two hexadecimal digits.
  ///
  /// - Complexity: O(*n*).
  package static func decodeBytes(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(2)
      guard digits.count == 2, digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-"),
        let code = UInt8(Substring(digits), radix: 16)
      else { return nil }
      bytes.append(code)
      rest = rest.dropFirst(2)
    }
    return bytes
  }
}
