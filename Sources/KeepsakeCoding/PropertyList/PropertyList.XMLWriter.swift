#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PropertyList {
  /// Writes XML property lists in the layout of Apple's own writer.
  struct XMLWriter {
    private var bytes: [UInt8] = []

    init() {}
  }
}

extension PropertyList.XMLWriter {
  /// Writes a whole document that holds a value.
  static func document(_ value: PropertyList.Value) -> [UInt8] {
    var writer = Self()
    writer.beginDocument()
    writer.append(value, indent: 0)
    return writer.endDocument()
  }

  /// Writes a whole document that holds a dictionary of entries in their order.
  static func document(
    entries: some Sequence<(key: String, value: PropertyList.Value)>
  ) -> [UInt8] {
    var writer = Self()
    writer.bytes.reserveCapacity(256 + entries.underestimatedCount * 64)
    writer.beginDocument()
    writer.appendDictionary(entries, indent: 0)
    return writer.endDocument()
  }

  private mutating func beginDocument() {
    append(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">

      """)
  }

  private consuming func endDocument() -> [UInt8] {
    append("</plist>\n")
    return bytes
  }

  // MARK: Values

  private mutating func append(_ value: PropertyList.Value, indent: Int) {
    appendIndent(indent)
    switch value {
    case .string(let text):
      append("<string>")
      appendEscaped(text)
      append("</string>\n")
    case .integer(let number):
      append("<integer>")
      appendUnescaped(String(number))
      append("</integer>\n")
    case .unsigned(let number):
      append("<integer>")
      appendUnescaped(String(number))
      append("</integer>\n")
    case .real(let number):
      append("<real>")
      appendUnescaped(Self.text(of: number))
      append("</real>\n")
    case .boolean(let isTrue):
      append(isTrue ? "<true/>\n" : "<false/>\n")
    case .date(let date):
      append("<date>")
      appendUnescaped(
        PropertyList.dateText(secondsSinceReferenceDate: date.timeIntervalSinceReferenceDate))
      append("</date>\n")
    case .data(let data):
      append(data, indent: indent)
    case .array(let elements):
      if elements.isEmpty { return append("<array/>\n") }
      append("<array>\n")
      for element in elements { append(element, indent: indent + 1) }
      appendIndent(indent)
      append("</array>\n")
    case .dictionary(let entries):
      appendDictionary(PropertyList.sortedEntries(entries), indent: indent)
    }
  }

  /// Writes a dictionary, the indent before it having been written.
  private mutating func appendDictionary(
    _ entries: some Sequence<(key: String, value: PropertyList.Value)>, indent: Int
  ) {
    var isEmpty = true
    for (key, value) in entries {
      if isEmpty { append("<dict>\n") }
      isEmpty = false
      appendIndent(indent + 1)
      append("<key>")
      appendEscaped(key)
      append("</key>\n")
      append(value, indent: indent + 1)
    }
    if isEmpty { return append("<dict/>\n") }
    appendIndent(indent)
    append("</dict>\n")
  }

  /// Writes bytes as lines of base64.
  ///
  /// A line is as long as Apple's writer makes it: 76 columns, of which a tab takes eight, but no
  /// more than eight tabs count or are written.
  private mutating func append(_ data: Data, indent: Int) {
    let tabs = min(indent, 8)
    let bytesPerLine = (76 - 8 * tabs) / 4 * 3
    append("<data>\n")
    data.withUnsafeBytes { content in
      var start = 0
      while start < content.count {
        let end = min(start + bytesPerLine, content.count)
        appendIndent(tabs)
        Base64.encode(content[start..<end], onto: &bytes)
        bytes.append(UInt8(ascii: "\n"))
        start = end
      }
    }
    appendIndent(indent)
    append("</data>\n")
  }

  private static func text(of number: Double) -> String {
    if number.isNaN { return "nan" }
    if number.isInfinite { return number < 0 ? "-infinity" : "+infinity" }
    return number.description
  }

  // MARK: Text

  @inline(__always)
  private mutating func appendIndent(_ indent: Int) {
    for _ in 0..<indent { bytes.append(UInt8(ascii: "\t")) }
  }

  @inline(__always)
  private mutating func append(_ markup: StaticString) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(
        start: markup.utf8Start, count: markup.utf8CodeUnitCount))
  }

  @inline(__always)
  private mutating func appendUnescaped(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  /// Writes text, with references for what XML has another use or no place for.
  private mutating func appendEscaped(_ text: String) {
    var text = text
    text.withUTF8 { content in
      var start = 0
      while true {
        let end = Self.endOfUnescaped(content, from: start)
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: content[start..<end]))
        guard end < content.count else { return }
        start = end + appendReference(content, at: end)
      }
    }
  }

  /// Writes the character at an offset, which may need a reference, and returns its length.
  private mutating func appendReference(_ content: UnsafeBufferPointer<UInt8>, at offset: Int)
    -> Int
  {
    switch content[offset] {
    case UInt8(ascii: "&"): append("&amp;")
    case UInt8(ascii: "<"): append("&lt;")
    case UInt8(ascii: ">"): append("&gt;")
    case 0xEF:
      // U+FFFE and U+FFFF are no characters of XML 1.0 (production 2).
      guard content[offset + 1] == 0xBF, content[offset + 2] >= 0xBE else {
        bytes.append(0xEF)
        return 1
      }
      append(content[offset + 2] == 0xBE ? "&#65534;" : "&#65535;")
      return 3
    case let control:
      appendUnescaped("&#\(control);")
    }
    return 1
  }

  /// The first offset of a byte that may need a reference, or the end; eight bytes are looked at
  /// together.
  @inline(__always)
  private static func endOfUnescaped(_ content: UnsafeBufferPointer<UInt8>, from start: Int) -> Int
  {
    let ones: UInt64 = 0x0101_0101_0101_0101
    var offset = start
    while offset + 8 <= content.count {
      let word = UnsafeRawPointer(content.baseAddress! + offset).loadUnaligned(as: UInt64.self)
      // "<" and ">" differ in one bit.
      let angle = (word | (ones &* 2)) ^ (ones &* UInt64(UInt8(ascii: ">")))
      let ampersand = word ^ (ones &* UInt64(UInt8(ascii: "&")))
      let last = word ^ (ones &* 0xEF)
      // A byte below 0x20 borrows from its high bit, and so does one that is zero.
      let found =
        ((angle &- ones) & ~angle) | ((ampersand &- ones) & ~ampersand)
        | ((last &- ones) & ~last) | ((word &- (ones &* 0x20)) & ~word)
      if found & (ones << 7) != 0 { break }
      offset += 8
    }
    while offset < content.count, !mayNeedReference(content[offset]) { offset += 1 }
    return offset
  }

  private static func mayNeedReference(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), 0xEF: true
    case UInt8(ascii: "\t"), UInt8(ascii: "\n"): false
    default: byte < 0x20
    }
  }
}
