/// The tags that most property lists are made of, recognized by their first eight bytes together where
/// they are written as every writer writes them.
extension PropertyList.XMLScanner {
  /// Reads the next tag, past whitespace and comments.
  @inline(__always)
  mutating func readTag() throws(Fault) -> Tag {
    skipWhitespace()
    let start = position
    guard count - start >= 9 else { return try readAnyTag() }
    let word = UInt64(
      littleEndian: UnsafeRawPointer(base + start).loadUnaligned(as: UInt64.self))
    // The letters of a tag, the first one lowest.
    if word & 0xFF_FFFF_FFFF == 0x3E79_656B_3C { return take(.key, .open, 5) }
    if word == 0x3E67_6E69_7274_733C { return take(.string, .open, 8) }
    if word == 0x7265_6765_746E_693C, base[start + 8] == UInt8(ascii: ">") {
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
    return try readAnyTag()
  }

  @inline(__always)
  private mutating func take(
    _ element: Element, _ form: Tag.Form, _ length: Int
  ) -> Tag {
    let start = position
    position = start + length
    return Tag(element: element, form: form, offset: start)
  }

  /// Goes behind an end tag, if it stands at an offset.
  @inline(__always)
  mutating func skip(_ tag: StaticString, at offset: Int) -> Bool {
    let length = tag.utf8CodeUnitCount
    guard count - offset >= length,
      ByteComparison.areEqual(base + offset, tag.utf8Start, length)
    else { return false }
    position = offset + length
    return true
  }

  /// Reads the end tag of an element whose content has been read.
  @inline(never)
  mutating func readEnd(of element: Element) throws(Fault) {
    let tag = try readTag()
    guard tag.element == element, tag.form == .close else {
      throw fault("<\(tag.element)> where </\(element)> must be", at: tag.offset)
    }
  }
}
