extension JSON.Writer {
  /// Writes the key of a member, with quotation marks and colon, as it stands: `"name":`.
  ///
  /// - Parameter text: The key as JSON, escapes and all; it is not looked at.
  @inlinable @inline(__always)
  public mutating func key(prejoined text: StaticString) { append(text) }

  /// Writes the key of a member.
  ///
  /// - Complexity: O(*n*), where *n* is the length.
  @inlinable @inline(__always)
  public mutating func key(_ name: String) {
    writeString(name, followedBy: UInt8(ascii: ":"))
  }

  /// Writes a string.
  ///
  /// - Complexity: O(*n*), where *n* is the length.
  @inlinable @inline(__always)
  public mutating func write(_ text: String) {
    writeString(text, followedBy: UInt8(ascii: ","))
  }

  @usableFromInline
  mutating func writeString(_ text: String, followedBy end: UInt8) {
    let isDone: Void? = text.utf8.withContiguousStorageIfAvailable {
      writeString($0, followedBy: end)
    }
    if isDone == nil {
      // Only strings bridged from other runtimes come here.
      var text = text
      text.makeContiguousUTF8()
      text.withUTF8 { writeString($0, followedBy: end) }
    }
  }

  /// Writes a string in quotation marks.
  ///
  /// Invariant: from `output` there is always room for what is left of the text as it is, and 34
  /// bytes more; an escape makes new room.
  @inline(__always)
  mutating func writeString(_ text: UnsafeBufferPointer<UInt8>, followedBy end: UInt8) {
    reserve(text.count &+ 34)
    var output = next
    output.pointee = UInt8(ascii: "\"")
    output += 1
    if let source = text.baseAddress, text.count > 0 {
      if text.count >= 16 {
        output = writeLong(source, count: text.count, at: output)
      } else if writeShort(source, count: text.count, at: output) {
        output += text.count
      } else {
        output = writeBytes(source, to: source + text.count, at: output)
      }
    }
    output[0] = UInt8(ascii: "\"")
    output[1] = end
    next = output + 2
  }

  /// Writes less than 16 bytes, or returns `false` if one of them needs an escape.
  ///
  /// No word is read across the middle of 16 bytes: a short string was just stored in two halves,
  /// and the processor would have to wait for both.
  @inline(__always)
  private func writeShort(
    _ source: UnsafePointer<UInt8>, count: Int, at output: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    let input = UnsafeRawPointer(source)
    let output = UnsafeMutableRawPointer(output)
    let slash = escapedSlash
    var index = 0
    var escapes: UInt64 = 0
    if count >= 8 {
      let word = input.loadUnaligned(as: UInt64.self)
      output.storeBytes(of: word, as: UInt64.self)
      escapes = Self.escapes(in: word, slash: slash)
      index = 8
    }
    // What is left, in one word; spaces need no escape.
    var rest: UInt64 = 0x2020_2020_2020_2020
    if count & 4 != 0 {
      let word = input.loadUnaligned(fromByteOffset: index, as: UInt32.self)
      output.storeBytes(of: word, toByteOffset: index, as: UInt32.self)
      rest = rest &<< 32 | UInt64(word)
      index &+= 4
    }
    if count & 2 != 0 {
      let word = input.loadUnaligned(fromByteOffset: index, as: UInt16.self)
      output.storeBytes(of: word, toByteOffset: index, as: UInt16.self)
      rest = rest &<< 16 | UInt64(word)
      index &+= 2
    }
    if count & 1 != 0 {
      let byte = input.load(fromByteOffset: index, as: UInt8.self)
      output.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
      rest = rest &<< 8 | UInt64(byte)
    }
    return escapes | Self.escapes(in: rest, slash: slash) == 0
  }

  /// Writes 16 bytes or more in blocks, and returns where the output goes on.
  @inline(__always)
  private mutating func writeLong(
    _ start: UnsafePointer<UInt8>, count: Int, at begin: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    var source = start
    var output = begin
    let end = start + count
    let slash = escapedSlash
    // Up to here an escape has moved the output.
    var escaped = start
    while end - source >= 16 {
      let block = UnsafeRawPointer(source).loadUnaligned(as: SIMD16<UInt8>.self)
      UnsafeMutableRawPointer(output).storeBytes(of: block, as: SIMD16<UInt8>.self)
      let clean = Self.cleanPrefix(of: block, slash: slash)
      source += clean
      output += clean
      if clean < 16 {
        output = writeEscape(of: source.pointee, at: output, left: end - source)
        source += 1
        escaped = source
      }
    }
    let left = end - source
    if left == 0 { return output }
    if end - 16 >= escaped {
      // The last block once more, with what is left.
      let block = UnsafeRawPointer(end - 16).loadUnaligned(as: SIMD16<UInt8>.self)
      if Self.cleanPrefix(of: block, slash: slash) == 16 {
        UnsafeMutableRawPointer(output + left - 16).storeBytes(of: block, as: SIMD16<UInt8>.self)
        return output + left
      }
    }
    return writeBytes(source, to: end, at: output)
  }

  /// Writes bytes one by one, and returns where the output goes on.
  @inline(never)
  private mutating func writeBytes(
    _ start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>,
    at begin: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    var source = start
    var output = begin
    while source < end {
      let byte = source.pointee
      if Self.needsEscape(byte, slash: escapedSlash) {
        output = writeEscape(of: byte, at: output, left: end - source)
      } else {
        output.pointee = byte
        output += 1
      }
      source += 1
    }
    return output
  }

  // MARK: Escapes (RFC 8259, section 7)

  @inline(__always)
  private static func needsEscape(_ byte: UInt8, slash: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == slash
  }

  /// The number of bytes before the first that needs an escape.
  @inline(__always)
  private static func cleanPrefix(of block: SIMD16<UInt8>, slash: UInt8) -> Int {
    // Against a vector, not a scalar: only so it becomes one instruction.
    let found =
      (block .== SIMD16<UInt8>(repeating: UInt8(ascii: "\"")))
      .| (block .== SIMD16<UInt8>(repeating: UInt8(ascii: "\\")))
      .| (block .== SIMD16<UInt8>(repeating: slash))
      .| (block .< SIMD16<UInt8>(repeating: 0x20))
    let words = unsafeBitCast(found, to: SIMD2<UInt64>.self)
    if words[0] | words[1] == 0 { return 16 }
    return words[0] != 0
      ? words[0].trailingZeroBitCount &>> 3 : 8 &+ words[1].trailingZeroBitCount &>> 3
  }

  /// Not zero if one of eight bytes needs an escape.
  @inline(__always)
  private static func escapes(in word: UInt64, slash: UInt8) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
    let backslash = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
    let slashes = word ^ (ones &* UInt64(slash))
    // A byte below 0x20 borrows from its high bit, and so does one that is zero.
    let found =
      ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
      | ((slashes &- ones) & ~slashes) | ((word &- (ones &* 0x20)) & ~word)
    return found & (ones &<< 7)
  }

  /// Writes an escape, makes room for what is left, its byte included, and returns where the
  /// output goes on.
  @inline(never)
  private mutating func writeEscape(
    of byte: UInt8, at output: UnsafeMutablePointer<UInt8>, left: Int
  ) -> UnsafeMutablePointer<UInt8> {
    next = output
    reserve(left + 40)
    next[0] = UInt8(ascii: "\\")
    switch byte {
    case 0x08: next[1] = UInt8(ascii: "b")
    case 0x09: next[1] = UInt8(ascii: "t")
    case 0x0A: next[1] = UInt8(ascii: "n")
    case 0x0C: next[1] = UInt8(ascii: "f")
    case 0x0D: next[1] = UInt8(ascii: "r")
    case 0..<0x20:
      next[1] = UInt8(ascii: "u")
      next[2] = UInt8(ascii: "0")
      next[3] = UInt8(ascii: "0")
      next[4] = UInt8(ascii: "0") + byte >> 4
      let low = byte & 0xF
      next[5] = low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10
      return next + 6
    default: next[1] = byte
    }
    return next + 2
  }
}
