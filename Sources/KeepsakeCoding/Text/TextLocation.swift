/// A location in a text, or in a binary file.
public struct TextLocation: Sendable, Hashable, CustomStringConvertible {
  /// The line, counted from 1; a line ends with a line feed. 0 in a binary property list.
  public let line: Int
  /// The column, counted from 1 in Unicode scalars; 0 in a binary property list.
  public let column: Int
  /// The distance from the start of the text, in bytes; of JSON, a byte order mark is not counted.
  public let offset: Int
  /// Part of the line, and a second line with a caret below the location; empty in a binary property
  /// list.
  public let excerpt: String

  /// The line and the column in words, or the offset where there are none.
  public var description: String {
    line > 0 ? "line \(line), column \(column)" : "byte \(offset)"
  }
}

extension TextLocation {
  /// A location of which only the line and the column are known, or are to be.
  package init(line: Int, column: Int) {
    self.init(line: line, column: column, offset: 0, excerpt: "")
  }

  /// A byte of a binary file.
  init(byte offset: Int) {
    self.init(line: 0, column: 0, offset: offset, excerpt: "")
  }

  /// Up to 30 bytes on each side of a location, on its line, and a caret below it.
  static func excerpt(
    of text: UnsafeBufferPointer<UInt8>, at offset: Int, lineStart: Int
  ) -> String {
    var first = max(lineStart, offset - 30)
    while first > lineStart, text[first] & 0xC0 == 0x80 { first -= 1 }
    var last = offset
    while last < text.count, last < offset + 30, text[last] != 0x0A, text[last] != 0x0D {
      last += 1
    }
    while last < text.count, last > offset, text[last] & 0xC0 == 0x80 { last -= 1 }
    func line(_ range: Range<Int>) -> String {
      // A tab, or what no terminal should be sent, takes one column as the caret counts.
      String(
        String.UnicodeScalarView(
          String(decoding: text[range], as: UTF8.self).unicodeScalars.map {
            $0.properties.generalCategory == .control ? " " : $0
          }))
    }
    let before = (first > lineStart ? "…" : "") + line(first..<offset)
    let after = line(offset..<last) + (last < text.count && text[last] >= 0x20 ? "…" : "")
    return before + after + "\n"
      + String(repeating: " ", count: before.unicodeScalars.count) + "^"
  }
}
