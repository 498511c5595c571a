/// What every writer writes: tags without attributes, numbers and dates without whitespace.
extension PropertyList.XMLTapeReader {
  /// Reads the next tag, past whitespace and comments.
  @inline(__always)
  mutating func readTag() throws(Fault) -> Tag {
    reader.skipWhitespace()
    let start = reader.position
    guard reader.count - start >= 9 else { return try reader.readTag() }
    let word = UInt64(
      littleEndian: UnsafeRawPointer(reader.base + start).loadUnaligned(as: UInt64.self))
    // The letters of a tag, the first one lowest.
    if word & 0xFF_FFFF_FFFF == 0x3E79_656B_3C { return take(.key, .open, 5) }
    if word == 0x3E67_6E69_7274_733C { return take(.string, .open, 8) }
    if word == 0x7265_6765_746E_693C, reader.base[start + 8] == UInt8(ascii: ">") {
      return take(.integer, .open, 9)
    }
    switch word & 0xFF_FFFF_FFFF_FFFF {
    case 0x3E_2F65_7572_743C: return take(.true, .empty, 7)
    case 0x3E_7961_7272_613C: return take(.array, .open, 7)
    case 0x3E_7463_6964_2F3C: return take(.dict, .close, 7)
    default: break
    }
    switch word & 0xFFFF_FFFF_FFFF {
    case 0x3E74_6369_643C: return take(.dict, .open, 6)
    case 0x3E6C_6165_723C: return take(.real, .open, 6)
    case 0x3E65_7461_643C: return take(.date, .open, 6)
    case 0x3E61_7461_643C: return take(.data, .open, 6)
    default: break
    }
    if word == 0x3E2F_6573_6C61_663C { return take(.false, .empty, 8) }
    if word == 0x3E79_6172_7261_2F3C { return take(.array, .close, 8) }
    return try reader.readTag()
  }

  @inline(__always)
  private mutating func take(
    _ element: PropertyList.XMLReader.Element, _ form: Tag.Form, _ length: Int
  ) -> Tag {
    let start = reader.position
    reader.position = start + length
    return Tag(element: element, form: form, offset: start)
  }

  /// Goes behind an end tag, if it stands at an offset.
  @inline(__always)
  mutating func skip(_ tag: StaticString, at offset: Int) -> Bool {
    let length = tag.utf8CodeUnitCount
    guard reader.count - offset >= length,
      ByteComparison.areEqual(reader.base + offset, tag.utf8Start, length)
    else { return false }
    reader.position = offset + length
    return true
  }

  /// The first offset of a "<", a "&" or a NUL, or the end, and whether all before it is ASCII.
  @inline(__always)
  func endOfText(from start: Int) -> (end: Int, isASCII: Bool) {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs = ones << 7
    var offset = start
    var seen: UInt64 = 0
    while offset + 8 <= reader.count {
      let word = UInt64(
        littleEndian: UnsafeRawPointer(reader.base + offset).loadUnaligned(as: UInt64.self))
      let less = word ^ (ones &* UInt64(UInt8(ascii: "<")))
      let ampersand = word ^ (ones &* UInt64(UInt8(ascii: "&")))
      // A byte that is zero borrows from its high bit; the lowest such bit is exact.
      let found =
        ((less &- ones) & ~less) | ((ampersand &- ones) & ~ampersand) | ((word &- ones) & ~word)
      let marks = found & highs
      if marks != 0 {
        let place = marks.trailingZeroBitCount / 8
        seen |= word & ((1 &<< UInt64(8 * place)) &- 1)
        return (offset + place, seen & highs == 0)
      }
      seen |= word
      offset += 8
    }
    while offset < reader.count {
      let byte = reader.base[offset]
      if byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") || byte == 0 { break }
      seen |= UInt64(byte)
      offset += 1
    }
    return (offset, seen & highs == 0)
  }

  /// The digits from an offset on, as many as surely fit.
  @inline(__always)
  private func digits(
    from start: Int, onto number: UInt64 = 0, limit: Int
  ) -> (number: UInt64, end: Int) {
    var number = number
    var offset = start
    let last = min(reader.count, start + limit)
    while offset < last {
      let digit = reader.base[offset] &- UInt8(ascii: "0")
      if digit > 9 { break }
      number = number &* 10 &+ UInt64(digit)
      offset += 1
    }
    return (number, offset)
  }

  @inline(__always)
  mutating func readInteger(_ tag: Tag) -> Bool {
    let start = reader.position
    let isNegative = start < reader.count && reader.base[start] == UInt8(ascii: "-")
    let first = isNegative ? start + 1 : start
    let (number, end) = digits(from: first, limit: 18)
    guard end > first, skip("</integer>", at: end) else { return false }
    tape.append(.integer, isNegative ? 0 &- number : number, at: tag.offset)
    return true
  }

  /// Reads a number of at most 19 digits, which a word holds.
  @inline(__always)
  mutating func readReal(_ tag: Tag) -> Bool {
    let start = reader.position
    let isNegative = start < reader.count && reader.base[start] == UInt8(ascii: "-")
    let first = isNegative ? start + 1 : start
    var (digits, end) = self.digits(from: first, limit: 19)
    guard end > first else { return false }
    var exponent = 0
    if end < reader.count, reader.base[end] == UInt8(ascii: ".") {
      let fraction = end + 1
      (digits, end) = self.digits(from: fraction, onto: digits, limit: 19 - (end - first))
      guard end > fraction else { return false }
      exponent = fraction - end
    }
    if end < reader.count, reader.base[end] | 0x20 == UInt8(ascii: "e") {
      let sign = end + 1 < reader.count ? reader.base[end + 1] : 0
      let isSigned = sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+")
      let (power, powerEnd) = self.digits(from: end + (isSigned ? 2 : 1), limit: 4)
      guard powerEnd > end + (isSigned ? 2 : 1) else { return false }
      exponent += sign == UInt8(ascii: "-") ? -Int(power) : Int(power)
      end = powerEnd
    }
    guard var number = Double.nearest(toMantissa: digits, exponent: exponent),
      skip("</real>", at: end)
    else { return false }
    if isNegative { number.negate() }
    tape.append(.real, number.bitPattern, at: tag.offset)
    return true
  }

  /// Reads `2026-11-21T01:02:03Z`.
  @inline(__always)
  mutating func readDate(_ tag: Tag) -> Bool {
    let start = reader.position
    guard reader.count - start >= 20,
      let seconds = ISO8601.secondsOfPropertyListDate(reader.base + start, count: 20),
      skip("</date>", at: start + 20)
    else { return false }
    tape.append(.date, seconds.bitPattern, at: tag.offset)
    return true
  }

  /// Notes where base64 stands; it is decoded when it is asked for.
  @inline(__always)
  mutating func readData() -> Bool {
    let start = reader.position
    let (end, _) = endOfText(from: start)
    guard skip("</data>", at: end) else { return false }
    tape.reserve()
    tape.append(.data, traits: 0, at: start, count: end - start)
    return true
  }
}
