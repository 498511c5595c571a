extension PropertyList.XMLScanner {
  /// An element of the property-list DTD.
  enum Element {
    case plist, dict, array, key, string, integer, real, `true`, `false`, date, data
  }

  /// A start tag, an end tag, or both in one (`<true/>`).
  struct Tag {
    enum Form { case open, close, empty }
    let element: Element
    let form: Form
    let offset: Int
  }

  /// Whether the bytes at an offset are those of a text.
  func bytes(at offset: Int, are text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    guard offset >= 0, count - offset >= length else { return false }
    for index in 0..<length where base[offset + index] != text.utf8Start[index] { return false }
    return true
  }

  /// The first offset from `start` at which a text stands.
  func firstOffset(of text: StaticString, from start: Int) -> Int? {
    var offset = start
    while offset < count {
      if bytes(at: offset, are: text) { return offset }
      offset += 1
    }
    return nil
  }

  /// What stands at the current position, for a message.
  var currentDescription: String {
    guard position < count else { return "the end of the file" }
    switch base[position] {
    case 0: return "a NUL byte"
    case let byte where byte < 0x20 || byte > 0x7E: return "byte 0x\(String(byte, radix: 16))"
    case let byte: return "\"\(Character(Unicode.Scalar(byte)))\""
    }
  }

  @inline(__always)
  static func isWhitespace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D
  }

  @inline(__always)
  mutating func skipWhitespace() {
    while position < count, Self.isWhitespace(base[position]) { position += 1 }
  }

  /// Skips whitespace and comments.
  @inline(__always)
  mutating func skipFiller() throws(Fault) {
    skipWhitespace()
    while position + 1 < count, base[position] == UInt8(ascii: "<"),
      base[position + 1] == UInt8(ascii: "!"), bytes(at: position, are: "<!--")
    {
      try skip(past: "-->", after: 4, what: "a comment")
      skipWhitespace()
    }
  }

  /// Skips a comment or the like to its end.
  ///
  /// - Returns: The range between its start and its end.
  @discardableResult @inline(never)
  mutating func skip(
    past end: StaticString, after length: Int, what: StaticString
  ) throws(Fault) -> Range<Int> {
    guard let offset = firstOffset(of: end, from: position + length) else {
      isOpenEnded = true
      throw fault("\(what) without its end \"\(end)\"")
    }
    let content = position + length..<offset
    position = offset + end.utf8CodeUnitCount
    return content
  }

  /// Skips what may stand before the first element (XML 1.0, production 22).
  mutating func skipProlog() throws(Fault) {
    while true {
      try skipFiller()
      let start = position
      if bytes(at: start, are: "<?") {
        position = try endOfDeclaration(from: start + 2)
        guard position - start >= 4, base[position - 2] == UInt8(ascii: "?") else {
          throw fault("\"<?\" without its end \"?>\"", at: start)
        }
        if bytes(at: start, are: "<?xml ") { try checkEncoding(in: start..<position) }
      } else if bytes(at: start, are: "<!DOCTYPE") {
        position = try endOfDeclaration(from: start + 9)
      } else {
        return
      }
    }
  }

  /// The offset after the ">" that ends a declaration.
  ///
  /// An internal subset could define entities, and entities made of entities grow without bound;
  /// no property list needs one. No declaration holds a "<" otherwise, so that a damaged one
  /// never swallows what follows it.
  private func endOfDeclaration(from start: Int) throws(Fault) -> Int {
    var offset = start
    while offset < count {
      switch base[offset] {
      case UInt8(ascii: ">"): return offset + 1
      case UInt8(ascii: "["):
        throw fault("a DOCTYPE with declarations of its own is refused", at: offset)
      case UInt8(ascii: "<"): throw fault("a declaration without its end", at: offset)
      default: offset += 1
      }
    }
    throw fault("the file ends inside of a declaration", at: count)
  }

  /// Refuses an encoding that is not a Unicode one or ASCII. Text in UTF-16 or UTF-32 is in UTF-8 by
  /// now.
  private func checkEncoding(in range: Range<Int>) throws(Fault) {
    let declaration = String(
      decoding: UnsafeBufferPointer(start: base + range.lowerBound, count: range.count),
      as: UTF8.self
    ).lowercased().filter { !$0.isWhitespace }
    let parts = declaration.split { $0 == "\"" || $0 == "'" }
    guard let index = parts.firstIndex(of: "encoding="), index + 1 < parts.count else { return }
    let encoding = parts[index + 1]
    guard encoding.hasPrefix("utf") || ["us-ascii", "ascii"].contains(encoding) else {
      throw fault(
        "a property list is read in UTF-8, UTF-16 and UTF-32; this declares \(encoding)",
        at: range.lowerBound)
    }
  }

  // MARK: Tags

  /// Reads the next tag, however it is written.
  @inline(never)
  mutating func readAnyTag() throws(Fault) -> Tag {
    try skipFiller()
    let start = position
    guard start < count else { throw fault("the file ends before the property list does") }
    guard base[start] == UInt8(ascii: "<") else {
      throw fault("\(currentDescription) where a tag must be")
    }
    var offset = start + 1
    let isClosing = offset < count && base[offset] == UInt8(ascii: "/")
    if isClosing { offset += 1 }
    let nameStart = offset
    var name: UInt64 = 0
    while offset < count, base[offset] &- UInt8(ascii: "a") < 26 {
      name = name << 8 | UInt64(base[offset])
      offset += 1
    }
    guard offset < count else {
      throw fault("the file ends inside of a tag", at: count)
    }
    let byte = base[offset]
    guard offset - nameStart <= 7, let element = Self.element(named: name),
      byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") || Self.isWhitespace(byte)
    else { throw unknownTag(at: start) }
    if byte == UInt8(ascii: ">") {
      position = offset + 1
      return Tag(element: element, form: isClosing ? .close : .open, offset: start)
    }
    position = offset
    let isEmpty = try skipAttributes(areAllowed: !isClosing)
    return Tag(
      element: element, form: isClosing ? .close : isEmpty ? .empty : .open, offset: start)
  }

  @inline(__always)
  private static func element(named name: UInt64) -> Element? {
    switch name {
    case 0x6B_6579: .key
    case 0x7374_7269_6E67: .string
    case 0x69_6E74_6567_6572: .integer
    case 0x7472_7565: .true
    case 0x66_616C_7365: .false
    case 0x6469_6374: .dict
    case 0x61_7272_6179: .array
    case 0x7265_616C: .real
    case 0x6461_7465: .date
    case 0x6461_7461: .data
    case 0x70_6C69_7374: .plist
    default: nil
    }
  }

  @inline(never)
  private func unknownTag(at start: Int) -> Fault {
    var end = start + 1
    while end < count, end - start < 20, (0x21...0x7E).contains(base[end]),
      base[end] != UInt8(ascii: ">"), base[end] != UInt8(ascii: "<")
    { end += 1 }
    let text = String(
      decoding: UnsafeBufferPointer(start: base + start, count: end - start), as: UTF8.self)
    return fault("\"\(text)\" is not a tag of a property list", at: start)
  }

  /// Skips attributes and the end of a tag.
  ///
  /// - Returns: Whether the tag ends with "/>".
  @inline(never)
  private mutating func skipAttributes(areAllowed: Bool) throws(Fault) -> Bool {
    while true {
      skipWhitespace()
      guard position < count else { throw fault("the file ends inside of a tag") }
      if base[position] == UInt8(ascii: ">") {
        position += 1
        return false
      }
      guard areAllowed else { throw fault("\(currentDescription) inside of an end tag") }
      if bytes(at: position, are: "/>") {
        position += 2
        return true
      }
      try skipAttribute()
    }
  }

  private mutating func skipAttribute() throws(Fault) {
    let start = position
    while position < count,
      (base[position] | 0x20) &- UInt8(ascii: "a") < 26
        || base[position] == UInt8(ascii: ":") || base[position] == UInt8(ascii: "-")
    { position += 1 }
    guard position > start else { throw fault("\(currentDescription) inside of a tag") }
    skipWhitespace()
    guard bytes(at: position, are: "=") else { throw fault("an attribute without \"=\"") }
    position += 1
    skipWhitespace()
    guard bytes(at: position, are: "\"") || bytes(at: position, are: "'") else {
      throw fault("an attribute's value without quotes")
    }
    let quote = base[position]
    position += 1
    while position < count, base[position] != quote, base[position] != UInt8(ascii: "<") {
      position += 1
    }
    guard position < count, base[position] == quote else {
      throw fault("an attribute's value without its closing quote", at: start)
    }
    position += 1
  }
}
