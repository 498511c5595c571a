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

  /// The six bits of every byte where they stand in the number of a group, the first byte lowest, for
  /// each of a group's four places; the high bit for a byte that is no digit.
  private static let places: [UInt32] = (0..<4).flatMap { place in
    meanings.map { meaning in
      guard meaning < 64 else { return UInt32(1) << 31 }
      return (UInt32(meaning) << UInt32(18 - 6 * place)).byteSwapped >> 8
    }
  }

  /// Decodes whole groups, until something else stands among them.
  ///
  /// - Parameter output: At least three bytes for every four of `text`, and one more.
  /// - Returns: The number of bytes read, four for every three that were written.
  @inline(__always)
  private static func decodeGroups(
    _ text: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableRawPointer
  ) -> Int {
    places.withUnsafeBufferPointer { places in
      let first = places.baseAddress.unsafelyUnwrapped
      let (second, third, fourth) = (first + 256, first + 512, first + 768)
      var (index, target) = (0, output)
      while index &+ 4 <= text.count {
        let group =
          first[Int(text[index])] | second[Int(text[index &+ 1])]
          | third[Int(text[index &+ 2])] | fourth[Int(text[index &+ 3])]
        if group &>> 31 != 0 { break }
        target.storeBytes(of: group.littleEndian, as: UInt32.self)
        target += 3
        index &+= 4
      }
      return index
    }
  }

  /// Decodes text.
  ///
  /// - Parameters:
  ///   - allowsWhitespace: Whether whitespace may stand anywhere in it.
  ///   - output: At least three bytes for every four of `text`, and three more.
  /// - Returns: The number of bytes written, and where the text is not valid, if it is not.
  static func decode(
    _ text: UnsafeBufferPointer<UInt8>, allowsWhitespace: Bool,
    into output: UnsafeMutableRawBufferPointer
  ) -> (length: Int, invalid: Int?) {
    var length = 0
    var group: UInt32 = 0
    var digits = 0
    var paddings = 0
    return meanings.withUnsafeBufferPointer { meanings in
      var index = 0
      while index < text.count {
        if digits == 0, paddings == 0 {
          let read = decodeGroups(
            UnsafeBufferPointer(rebasing: text[index...]),
            into: output.baseAddress.unsafelyUnwrapped + length)
          index &+= read
          length &+= read / 4 * 3
          if index == text.count { break }
        }
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
        } else if meaning != whitespace || !allowsWhitespace {
          return (length, index)
        }
        index += 1
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

  /// Writes the text of bytes, with padding if their number is no multiple of three.
  ///
  /// - Parameter output: At least four bytes for every three, or fewer, of `bytes`.
  /// - Returns: The end of the text.
  static func encode(
    _ bytes: UnsafeRawBufferPointer, to output: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    guard let start = bytes.baseAddress else { return output }
    let digits = alphabet.utf8Start
    let count = bytes.count
    var (index, output) = (0, output)
    /// The digits of 24 bits as a word, the first one lowest.
    @inline(__always)
    func text(_ group: UInt32) -> UInt32 {
      UInt32(digits[Int(group &>> 18 & 63)]) | UInt32(digits[Int(group &>> 12 & 63)]) &<< 8
        | UInt32(digits[Int(group &>> 6 & 63)]) &<< 16 | UInt32(digits[Int(group & 63)]) &<< 24
    }
    @inline(__always)
    func append(_ word: UInt32) {
      UnsafeMutableRawPointer(output).storeBytes(of: word.littleEndian, as: UInt32.self)
      output += 4
    }
    while index &+ 4 <= count {
      let word = UInt32(bigEndian: start.loadUnaligned(fromByteOffset: index, as: UInt32.self))
      append(text(word &>> 8))
      index &+= 3
    }
    if index < count {
      let left = count - index
      let group =
        UInt32(bytes[index]) << 16 | (left > 1 ? UInt32(bytes[index + 1]) << 8 : 0)
        | (left > 2 ? UInt32(bytes[index + 2]) : 0)
      append(text(group))
      if left < 3 { output[-1] = UInt8(ascii: "=") }
      if left < 2 { output[-2] = UInt8(ascii: "=") }
    }
    return output
  }
}
