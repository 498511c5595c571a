/// The tags that most property lists are made of, told by their first eight bytes together where they
/// are written as the writer writes them.
extension PropertyList.XMLReader {
  /// Reads the next tag, past whitespace and comments.
  @inline(__always)
  mutating func readTag() throws(Fault) -> Tag {
    skipWhitespace()
    if let tag = commonTag() { return tag }
    return try readAnyTag()
  }

  /// The next tag, where it is one of those that most property lists are made of and is written as
  /// the writer writes it: told by its first eight bytes together.
  @inline(__always)
  private mutating func commonTag() -> Tag? {
    let start = position
    // The longest has nine.
    guard count - start >= 9 else { return nil }
    let word = UInt64(littleEndian: UnsafeRawPointer(base + start).loadUnaligned(as: UInt64.self))
    if word & Self.mask(5) == Self.word("<key>") {
      position = start + 5
      return Tag(element: .key, form: .open, offset: start)
    }
    if word == Self.word("<string>") {
      position = start + 8
      return Tag(element: .string, form: .open, offset: start)
    }
    if word == Self.word("<integer"), base[start + 8] == UInt8(ascii: ">") {
      position = start + 9
      return Tag(element: .integer, form: .open, offset: start)
    }
    if word & Self.mask(7) == Self.word("<true/>") {
      position = start + 7
      return Tag(element: .true, form: .empty, offset: start)
    }
    if word == Self.word("<false/>") {
      position = start + 8
      return Tag(element: .false, form: .empty, offset: start)
    }
    return nil
  }

  /// Reads the end tag of an element whose content has been read.
  @inline(__always)
  mutating func readEnd(of element: Element) throws(Fault) {
    if count - position >= 10 {
      let word = UInt64(
        littleEndian: UnsafeRawPointer(base + position).loadUnaligned(as: UInt64.self))
      switch element {
      case .key where word & Self.mask(6) == Self.word("</key>"):
        position += 6
        return
      case .string where word == Self.word("</string") && base[position + 8] == UInt8(ascii: ">"):
        position += 9
        return
      case .integer
      where word == Self.word("</intege") && base[position + 8] == UInt8(ascii: "r")
        && base[position + 9] == UInt8(ascii: ">"):
        position += 10
        return
      default: break
      }
    }
    try readAnyEnd(of: element)
  }

  @inline(never)
  private mutating func readAnyEnd(of element: Element) throws(Fault) {
    let tag = try readTag()
    guard tag.element == element, tag.form == .close else {
      throw fault("<\(tag.element)> where </\(element)> must be", at: tag.offset)
    }
  }

  /// Up to eight characters, the first one in the lowest byte.
  @inline(__always)
  private static func word(_ text: StaticString) -> UInt64 {
    var word: UInt64 = 0
    for index in 0..<text.utf8CodeUnitCount {
      word |= UInt64(text.utf8Start[index]) << UInt64(8 * index)
    }
    return word
  }

  /// The lowest bytes of a word, fewer than all.
  @inline(__always)
  private static func mask(_ length: UInt64) -> UInt64 { 1 << (8 * length) - 1 }
}
