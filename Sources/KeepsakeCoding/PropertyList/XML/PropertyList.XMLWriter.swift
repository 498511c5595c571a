#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PropertyList {
  /// Writes XML property lists in the layout of Apple's own writer.
  struct XMLWriter {
    var output: Output

    init(capacity: Int) { output = Output(capacity: capacity + 256) }
  }
}

extension PropertyList.XMLWriter {
  /// Writes a whole document that holds a value.
  static func document(_ value: PropertyList.Value) -> [UInt8] {
    var writer = Self(capacity: 1024)
    writer.beginDocument()
    writer.append(value, indent: 0)
    return writer.endDocument().takeBytes()
  }

  /// Writes a whole document that holds a dictionary of entries in their order.
  static func document(
    entries: some Sequence<(key: String, value: PropertyList.Value)>
  ) -> [UInt8] {
    var writer = Self(capacity: entries.underestimatedCount * 64)
    writer.beginDocument()
    writer.appendDictionary(entries, indent: 0)
    return writer.endDocument().takeBytes()
  }

  /// What stands before the value.
  static let head: StaticString = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
    "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">

    """

  mutating func beginDocument() { output.append(Self.head) }

  consuming func endDocument() -> PropertyList.Output {
    output.append("</plist>\n")
    return output
  }

  // MARK: Values

  private mutating func append(_ value: PropertyList.Value, indent: Int) {
    appendIndent(indent)
    switch value {
    case .string(var text): text.withUTF8 { appendString($0) }
    case .integer(let number): appendInteger(number.magnitude, isNegative: number < 0)
    case .unsigned(let number): appendInteger(number, isNegative: false)
    case .real(let number): appendReal(number)
    case .boolean(let isTrue): appendBoolean(isTrue)
    case .date(let date): appendDate(date.timeIntervalSinceReferenceDate, keepsFraction: true)
    case .data(let data): append(data, indent: indent)
    case .array(let elements):
      if elements.isEmpty { return output.append("<array/>\n") }
      output.append("<array>\n")
      for element in elements { append(element, indent: indent + 1) }
      appendIndent(indent)
      output.append("</array>\n")
    case .dictionary(let entries):
      appendDictionary(PropertyList.sortedEntries(entries), indent: indent)
    }
  }

  /// Writes a dictionary, the indent before it having been written.
  private mutating func appendDictionary(
    _ entries: some Sequence<(key: String, value: PropertyList.Value)>, indent: Int
  ) {
    var isEmpty = true
    for entry in entries {
      if isEmpty { output.append("<dict>\n") }
      isEmpty = false
      appendIndent(indent + 1)
      var key = entry.key
      key.withUTF8 { appendKey($0) }
      append(entry.value, indent: indent + 1)
    }
    if isEmpty { return output.append("<dict/>\n") }
    appendIndent(indent)
    output.append("</dict>\n")
  }

  @inline(__always)
  mutating func appendIndent(_ indent: Int) {
    output.reserve(indent &+ 8)
    Self.storeTabs(indent, to: output.base + output.count)
    output.count &+= indent
  }
}
