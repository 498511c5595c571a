extension PropertyList.XMLScanner {
  /// Reads text with references, CDATA sections or comments in it.
  ///
  /// A carriage return in the file is kept, as Apple's reader keeps it, where XML 1.0 (2.11)
  /// would make it a line feed: Apple's writer writes one as it is.
  @inline(never)
  mutating func readMixedText(_ tag: Tag) throws(Fault) -> String {
    var text = ""
    while true {
      let start = position
      position = endOfText(from: start).end
      text += try string(start..<position)
      guard position < count else { throw fault("the file ends inside of <\(tag.element)>") }
      switch base[position] {
      case UInt8(ascii: "&"):
        text.unicodeScalars.append(try readReference())
      case UInt8(ascii: "<"):
        if bytes(at: position, are: "<![CDATA[") {
          let content = try skip(past: "]]>", after: 9, what: "a CDATA section")
          text += try string(content)
          if let nul = content.first(where: { base[$0] == 0 }) {
            throw fault("a NUL byte in <\(tag.element)>", at: nul)
          }
        } else if bytes(at: position, are: "<!--") {
          try skip(past: "-->", after: 4, what: "a comment")
        } else {
          try readEnd(of: tag.element)
          return text
        }
      default:
        throw fault("a NUL byte in <\(tag.element)>")
      }
    }
  }

  /// Reads a reference to a character.
  ///
  /// Beside what XML 1.0 allows, a reference can name a control character or U+FFFE or U+FFFF:
  /// the writer writes so what XML 1.0 does not allow.
  private mutating func readReference() throws(Fault) -> Unicode.Scalar {
    let start = position
    // The longest is &#x0010FFFF; leading zeros beyond that are refused.
    guard let end = (start..<min(start + 14, count)).first(where: { base[$0] == UInt8(ascii: ";") })
    else { throw fault("\"&\" that starts no reference; it is written &amp;") }
    let name = String(
      decoding: UnsafeBufferPointer(start: base + start + 1, count: end - start - 1),
      as: UTF8.self)
    position = end + 1
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default: break
    }
    let isHex = name.hasPrefix("#x")
    let digits = name.dropFirst(isHex ? 2 : 1)
    guard name.hasPrefix("#"), digits.utf8.first != UInt8(ascii: "+"),
      let number = UInt32(digits, radix: isHex ? 16 : 10), let scalar = Unicode.Scalar(number)
    else {
      throw fault(
        name.hasPrefix("#")
          ? "&\(name); is no character"
          : "&\(name); is an unknown entity; only XML's five are read",
        at: start)
    }
    return scalar
  }

  /// The text of a range, which must be valid UTF-8.
  @inline(__always)
  func string(_ range: Range<Int>) throws(Fault) -> String {
    let bytes = UnsafeBufferPointer(start: base + range.lowerBound, count: range.count)
    // No other initializer is as fast.
    if bytes.isASCII { return String(decoding: bytes, as: UTF8.self) }
    if let invalid = UTF8Check.firstInvalid(in: bytes) {
      throw invalidUTF8(at: range.lowerBound + invalid)
    }
    return String(knownUTF8: bytes, isASCII: false)
  }

  @inline(never)
  private func invalidUTF8(at offset: Int) -> Fault {
    fault("byte 0x\(String(base[offset], radix: 16)) is not valid UTF-8 here", at: offset)
  }

  /// The first offset of a "<", a "&" or a NUL, or the end, and whether all before it is ASCII.
  @inline(__always)
  func endOfText(from start: Int) -> (end: Int, isASCII: Bool) {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs = ones << 7
    var offset = start
    var seen: UInt64 = 0
    while offset + 8 <= count {
      let word = UInt64(
        littleEndian: UnsafeRawPointer(base + offset).loadUnaligned(as: UInt64.self))
      let less = word ^ (ones &* UInt64(UInt8(ascii: "<")))
      let ampersand = word ^ (ones &* UInt64(UInt8(ascii: "&")))
      // A byte that is zero borrows from its high bit; the lowest such bit is exact.
      let found =
        ((less &- ones) & ~less) | ((ampersand &- ones) & ~ampersand) | ((word &- ones) & ~word)
      let marks = found & highs
      if marks != 0 {
        let count = marks.trailingZeroBitCount / 8
        seen |= word & ((1 &<< UInt64(8 * count)) &- 1)
        return (offset + count, seen & highs == 0)
      }
      seen |= word
      offset += 8
    }
    while offset < count {
      let byte = base[offset]
      if byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") || byte == 0 { break }
      seen |= UInt64(byte)
      offset += 1
    }
    return (offset, seen & highs == 0)
  }
}
