/// Counts lines and columns: a decoder that meets error after error in one text, and goes on each
/// time, counts the text once, in any order of the errors.
struct LocationFinder {
  /// What was counted up to a byte.
  private struct Count {
    var line = 1
    var lineStart = 0
    var column = 1

    mutating func pass(_ byte: UInt8, at offset: Int) {
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
        lineStart = offset + 1
      } else if byte & 0xC0 != 0x80 {
        // A continuation byte of UTF-8 belongs to the scalar before it.
        column += 1
      }
    }
  }

  /// The counts at every so many bytes, as far as was requested.
  private var counts = [Count()]
  private static let stride = 512

  /// The location of a byte.
  mutating func location(of target: Int, in text: UnsafeBufferPointer<UInt8>) -> TextLocation {
    let target = min(target, text.count)
    while counts.count <= target / Self.stride {
      var count = counts[counts.count - 1]
      let first = (counts.count - 1) * Self.stride
      for offset in first..<(first + Self.stride) { count.pass(text[offset], at: offset) }
      counts.append(count)
    }
    let first = target / Self.stride
    var count = counts[first]
    for offset in (first * Self.stride)..<target { count.pass(text[offset], at: offset) }
    return TextLocation(
      line: count.line, column: count.column, offset: target,
      excerpt: TextLocation.excerpt(of: text, at: target, lineStart: count.lineStart))
  }
}
