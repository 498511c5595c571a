/// Counts lines and columns, on from where it counted last: many places in one text, asked for in
/// their order, take one pass.
struct LineCounter {
  private(set) var offset = 0
  /// The line, counted from 1; a line ends with a line feed.
  private(set) var line = 1
  /// The column, counted from 1 in Unicode scalars.
  private(set) var column = 1

  /// Goes to an offset, or to the end of the text if that comes before.
  mutating func move(to target: Int, in text: UnsafeBufferPointer<UInt8>) {
    let target = min(target, text.count)
    if target < offset { self = Self() }
    while offset < target {
      if text[offset] == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if text[offset] & 0xC0 != 0x80 {
        // A continuation byte of UTF-8 belongs to the scalar before it.
        column += 1
      }
      offset += 1
    }
  }
}
