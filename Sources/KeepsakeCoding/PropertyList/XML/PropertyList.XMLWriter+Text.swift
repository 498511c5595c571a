extension PropertyList.XMLWriter {
  /// - Parameter hasSlack: Whether eight bytes can be loaded wherever the text ends.
  @inline(__always)
  mutating func appendKey(_ text: UnsafeBufferPointer<UInt8>, hasSlack: Bool = false) {
    output.append("<key>")
    append(text, hasSlack: hasSlack)
    output.append("</key>\n")
  }

  /// - Parameter hasSlack: Whether eight bytes can be loaded wherever the text ends.
  @inline(__always)
  mutating func appendString(_ text: UnsafeBufferPointer<UInt8>, hasSlack: Bool = false) {
    output.append("<string>")
    append(text, hasSlack: hasSlack)
    output.append("</string>\n")
  }

  /// Writes text, copying eight bytes at a time while they need no reference.
  @inline(__always)
  private mutating func append(_ text: UnsafeBufferPointer<UInt8>, hasSlack: Bool) {
    guard hasSlack, let base = text.baseAddress else { return appendEscaped(text) }
    output.reserve(text.count &+ 8)
    let target = UnsafeMutableRawPointer(output.base + output.count)
    var offset = 0
    while offset < text.count {
      let left = text.count &- offset
      let word = PropertyList.Records.word(base + offset, count: left)
      // Zeros after the end would look like what they are.
      let filled =
        left >= 8 ? word : word | (0x6161_6161_6161_6161 &<< UInt64(8 &* left))
      if Self.marks(filled) != 0 {
        output.count &+= offset
        return appendEscaped(UnsafeBufferPointer(rebasing: text[offset...]))
      }
      target.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt64.self)
      offset &+= 8
    }
    output.count &+= text.count
  }

  /// Writes text, with references for what XML has another use or no place for.
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
      output.append("&#")
      appendDigits(UInt64(control))
      output.append(";")
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
