extension JSON.Writer {
  /// Writes the key of a member, with quotation marks and colon, as it stands: `"name":`.
  ///
  /// - Parameter name: The key as JSON; what needs an escape is written with ``key(_:)-(String)``.
  @inlinable @inline(__always)
  public mutating func key(_ name: StaticString) { append(name) }

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
  /// Invariant: from `output` there is always room for what is left of the text as it is, and 32
  /// bytes more; an escape makes new room.
  @inline(__always)
  mutating func writeString(_ text: UnsafeBufferPointer<UInt8>, followedBy end: UInt8) {
    reserve(text.count &+ 34)
    var output = next
    output.pointee = UInt8(ascii: "\"")
    output += 1
    if var source = text.baseAddress {
      let sourceEnd = source + text.count
      let slash = escapedSlash
      while sourceEnd - source >= 16 {
        let block = UnsafeRawPointer(source).loadUnaligned(as: SIMD16<UInt8>.self)
        UnsafeMutableRawPointer(output).storeBytes(of: block, as: SIMD16<UInt8>.self)
        let clean = Self.cleanPrefix(of: block, slash: slash)
        source += clean
        output += clean
        if clean < 16 {
          output = writeEscape(of: source.pointee, at: output, left: sourceEnd - source)
          source += 1
        }
      }
      if sourceEnd - source >= 8 {
        let word = UnsafeRawPointer(source).loadUnaligned(as: UInt64.self)
        if !Self.mayNeedEscape(word, slash: slash) {
          UnsafeMutableRawPointer(output).storeBytes(of: word, as: UInt64.self)
          source += 8
          output += 8
        }
      }
      if sourceEnd - source >= 4 {
        let word = UnsafeRawPointer(source).loadUnaligned(as: UInt32.self)
        // The upper half is spaces, which need no escape.
        if !Self.mayNeedEscape(UInt64(word) | 0x2020_2020 &<< 32, slash: slash) {
          UnsafeMutableRawPointer(output).storeBytes(of: word, as: UInt32.self)
          source += 4
          output += 4
        }
      }
      while source < sourceEnd {
        let byte = source.pointee
        if Self.needsEscape(byte, slash: slash) {
          output = writeEscape(of: byte, at: output, left: sourceEnd - source)
        } else {
          output.pointee = byte
          output += 1
        }
        source += 1
      }
    }
    output[0] = UInt8(ascii: "\"")
    output[1] = end
    next = output + 2
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

  /// Whether one of eight bytes may need an escape; sometimes of bytes that need none.
  @inline(__always)
  private static func mayNeedEscape(_ word: UInt64, slash: UInt8) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
    let backslash = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
    let slashes = word ^ (ones &* UInt64(slash))
    // A byte below 0x20 borrows from its high bit, and so does one that is zero.
    let found =
      ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
      | ((slashes &- ones) & ~slashes) | ((word &- (ones &* 0x20)) & ~word)
    return found & (ones << 7) != 0
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
