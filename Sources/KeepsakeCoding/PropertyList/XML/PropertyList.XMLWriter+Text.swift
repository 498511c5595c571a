extension PropertyList.XMLWriter {
  /// Writes a line: tabs and a tag.
  @inline(__always)
  mutating func appendLine(_ indent: Int, _ tag: StaticString) {
    appendIndent(indent)
    output.append(tag)
  }

  /// Writes a line: tabs, a tag, what a function writes, and a tag.
  ///
  /// - Parameters:
  ///   - length: The most bytes that the function writes.
  ///   - write: Writes to an address, and returns the end of what it wrote.
  @inline(__always)
  mutating func appendLine(
    _ indent: Int, _ open: StaticString, upTo length: Int, _ close: StaticString,
    _ write: (UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8>
  ) {
    output.reserve(indent &+ open.utf8CodeUnitCount &+ length &+ close.utf8CodeUnitCount &+ 8)
    // A copy, as a store through a pointer might change `output`.
    var next = output.next
    Self.storeTabs(indent, to: next)
    next += indent
    UnsafeMutableRawPointer(next).copyMemory(
      from: open.utf8Start, byteCount: open.utf8CodeUnitCount)
    next = write(next + open.utf8CodeUnitCount)
    UnsafeMutableRawPointer(next).copyMemory(
      from: close.utf8Start, byteCount: close.utf8CodeUnitCount)
    output.next = next + close.utf8CodeUnitCount
  }

  /// Writes a line: tabs, a tag, text that needs no reference, and a tag.
  mutating func appendLine(
    _ indent: Int, _ open: StaticString, text: String, _ close: StaticString
  ) {
    appendLine(indent, open)
    var text = text
    text.withUTF8 { output.append($0) }
    output.append(close)
  }

  /// Writes a line: tabs, a tag, text of which eight bytes are copied at a time while they need no
  /// reference, and a tag.
  ///
  /// - Parameter text: Eight bytes can be loaded wherever it ends.
  @inline(__always)
  mutating func appendLine(
    _ indent: Int, _ open: StaticString, _ text: UnsafeBufferPointer<UInt8>, _ close: StaticString
  ) {
    // The longest is written over by what follows it: eight tabs or eight bytes at a time.
    output.reserve(
      indent &+ open.utf8CodeUnitCount &+ text.count &+ close.utf8CodeUnitCount &+ 16)
    // A copy, as a store through a pointer might change `output`.
    var next = UnsafeMutableRawPointer(output.next)
    Self.storeTabs(indent, to: next)
    next += indent
    next.copyMemory(from: open.utf8Start, byteCount: open.utf8CodeUnitCount)
    next += open.utf8CodeUnitCount
    var offset = 0
    while offset < text.count, let base = text.baseAddress {
      let left = text.count &- offset
      let word = Records.word(base + offset, count: left)
      // Zeros after the end would look like what they are.
      let filled =
        left >= 8 ? word : word | (0x6161_6161_6161_6161 &<< UInt64(8 &* left))
      if Self.marks(filled) != 0 {
        output.next = (next + offset).assumingMemoryBound(to: UInt8.self)
        appendEscaped(UnsafeBufferPointer(rebasing: text[offset...]))
        return output.append(close)
      }
      next.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt64.self)
      offset &+= 8
    }
    next += text.count
    next.copyMemory(from: close.utf8Start, byteCount: close.utf8CodeUnitCount)
    next += close.utf8CodeUnitCount
    output.next = next.assumingMemoryBound(to: UInt8.self)
  }

  /// Writes tabs, eight together, of which those too many are to be written over.
  @inline(__always)
  static func storeTabs(_ count: Int, to output: UnsafeMutableRawPointer) {
    var offset = 0
    repeat {
      output.storeBytes(of: 0x0909_0909_0909_0909, toByteOffset: offset, as: UInt64.self)
      offset &+= 8
    } while offset < count
  }

  /// Writes text, with references for what XML has another use or none for.
  private mutating func appendEscaped(_ content: UnsafeBufferPointer<UInt8>) {
    var start = 0
    while true {
      let end = Self.endOfUnescaped(content, from: start)
      output.append(UnsafeBufferPointer(rebasing: content[start..<end]))
      guard end < content.count else { return }
      start = end + appendReference(content, at: end)
    }
  }

  /// Writes the character at an offset, which may need a reference, and returns its length.
  private mutating func appendReference(_ content: UnsafeBufferPointer<UInt8>, at offset: Int)
    -> Int
  {
    switch content[offset] {
    case UInt8(ascii: "&"): output.append("&amp;")
    case UInt8(ascii: "<"): output.append("&lt;")
    case UInt8(ascii: ">"): output.append("&gt;")
    case 0xEF:
      // U+FFFE and U+FFFF are no characters of XML 1.0 (production 2).
      guard content[offset + 1] == 0xBF, content[offset + 2] >= 0xBE else {
        output.append(0xEF)
        return 1
      }
      output.append(content[offset + 2] == 0xBE ? "&#65534;" : "&#65535;")
      return 3
    case let control:
      appendLine(0, "&#", upTo: Digits.longest64, ";") {
        $0 + Digits.write(UInt64(control), to: $0)
      }
    }
    return 1
  }

  /// The first offset of a byte that may need a reference, or the end; eight bytes are looked at
  /// together.
  @inline(__always)
  private static func endOfUnescaped(_ content: UnsafeBufferPointer<UInt8>, from start: Int) -> Int
  {
    var offset = start
    while offset + 8 <= content.count {
      let word = UnsafeRawPointer(content.baseAddress! + offset).loadUnaligned(as: UInt64.self)
      if marks(word) != 0 { break }
      offset += 8
    }
    while offset < content.count, !mayNeedReference(content[offset]) { offset += 1 }
    return offset
  }

  /// Not zero if one of eight bytes may need a reference.
  @inline(__always)
  private static func marks(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    // "<" and ">" differ in one bit.
    let angle = (word | (ones &* 2)) ^ (ones &* UInt64(UInt8(ascii: ">")))
    let ampersand = word ^ (ones &* UInt64(UInt8(ascii: "&")))
    let last = word ^ (ones &* 0xEF)
    // A byte below 0x20 borrows from its high bit, and so does one that is zero.
    let found =
      ((angle &- ones) & ~angle) | ((ampersand &- ones) & ~ampersand)
      | ((last &- ones) & ~last) | ((word &- (ones &* 0x20)) & ~word)
    return found & (ones << 7)
  }

  private static func mayNeedReference(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), 0xEF: true
    case UInt8(ascii: "\t"), UInt8(ascii: "\n"): false
    default: byte < 0x20
    }
  }
}
