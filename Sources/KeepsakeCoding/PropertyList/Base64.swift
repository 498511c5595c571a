/// Base64 as RFC 4648 defines it, with padding.
enum Base64 {
  private static let alphabet: StaticString =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

  /// What a byte of the table stands for beside its six bits.
  private static let whitespace: UInt8 = 64
  private static let padding: UInt8 = 65
  private static let invalid: UInt8 = 66

  /// The meaning of every byte.
  private static let meanings: [UInt8] = {
    var table = [UInt8](repeating: invalid, count: 256)
    for index in 0..<64 { table[Int(alphabet.utf8Start[index])] = UInt8(index) }
    for byte: UInt8 in [0x20, 0x09, 0x0A, 0x0D] { table[Int(byte)] = whitespace }
    table[Int(UInt8(ascii: "="))] = padding
    return table
  }()

  /// Decodes text, whitespace anywhere in it.
  ///
  /// - Parameter output: At least three bytes for every four of `text`, and three more.
  /// - Returns: The number of bytes written, and where the text is not valid, if it is not.
  static func decode(
    _ text: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableRawBufferPointer
  ) -> (length: Int, invalid: Int?) {
    var length = 0
    var group: UInt32 = 0
    var digits = 0
    var paddings = 0
    return meanings.withUnsafeBufferPointer { meanings in
      for index in text.indices {
        let meaning = meanings[Int(text[index])]
        if meaning < 64, paddings == 0 {
          group = group << 6 | UInt32(meaning)
          digits += 1
          if digits == 4 {
            output[length] = UInt8(truncatingIfNeeded: group >> 16)
            output[length + 1] = UInt8(truncatingIfNeeded: group >> 8)
            output[length + 2] = UInt8(truncatingIfNeeded: group)
            length += 3
            digits = 0
          }
        } else if meaning == padding, digits >= 2, digits + paddings < 4 {
          paddings += 1
        } else if meaning != whitespace {
          return (length, index)
        }
      }
      guard digits == 0 || digits + paddings == 4 else { return (length, text.count) }
      // The bits that the last digit has beside the last byte must be zero: one value, one text.
      switch digits {
      case 2:
        guard group & 0xF == 0 else { return (length, text.count) }
        output[length] = UInt8(truncatingIfNeeded: group >> 4)
        length += 1
      case 3:
        guard group & 0x3 == 0 else { return (length, text.count) }
        output[length] = UInt8(truncatingIfNeeded: group >> 10)
        output[length + 1] = UInt8(truncatingIfNeeded: group >> 2)
        length += 2
      default: break
      }
      return (length, nil)
    }
  }

  /// Appends one line of text for bytes, with padding if their number is no multiple of three.
  static func encode(
    _ bytes: UnsafeRawBufferPointer.SubSequence, onto output: inout PropertyList.Output
  ) {
    let digits = alphabet.utf8Start
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let left = bytes.endIndex - index
      let first = UInt32(bytes[index]) << 16
      let second = left > 1 ? UInt32(bytes[index + 1]) << 8 : 0
      let third = left > 2 ? UInt32(bytes[index + 2]) : 0
      let group = first | second | third
      output.append(digits[Int(group >> 18)])
      output.append(digits[Int(group >> 12 & 63)])
      output.append(left > 1 ? digits[Int(group >> 6 & 63)] : UInt8(ascii: "="))
      output.append(left > 2 ? digits[Int(group & 63)] : UInt8(ascii: "="))
      index += 3
    }
  }
}
