/// Text and data, of which a row has the offset and the length.
extension Tape {
  /// A long text of a binary property list, which is made once for all rows that name it.
  static let sharedTrait: UInt8 = 2

  private static let notASCIITrait: UInt8 = JSON.StringToken.Traits.isNotASCII.rawValue

  // MARK: Reading

  /// The bytes of a string or of data.
  @inline(__always) func string(_ index: Int) -> JSON.StringToken {
    let word = words[index]
    var start = bytes + Int(truncatingIfNeeded: word & 0xFFFF_FFFF)
    var length = word &>> 32 & Self.lengthLimit
    if length == Self.lengthLimit {
      length = words[index &+ 1] & 0xFFFF_FFFF
      // What is in the heap has its length in the second word, regardless of its value.
      if hasTrait(Self.heapTrait, index) {
        start = UnsafePointer(heap.start) + Int(truncatingIfNeeded: words[index &+ 1] &>> 32)
      }
    }
    return JSON.StringToken(
      start: start, count: Int(truncatingIfNeeded: length),
      traits: JSON.StringToken.Traits(rawValue: UInt8(truncatingIfNeeded: word &>> 56) & 15))
  }

  /// The text of a string or a key.
  @inline(__always) mutating func text(_ index: Int) -> String {
    let token = string(index)
    return token.traits.rawValue & Self.sharedTrait == 0
      ? JSON.text(of: token) : sharedText(index)
  }

  /// The text of a string or a key, made for this call alone.
  func plainText(_ index: Int) -> String { JSON.text(of: string(index)) }

  /// Calls a function with the text of a string or a key in UTF-8.
  func withText<Result>(_ index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    let token = string(index)
    return body(UnsafeBufferPointer(start: token.start, count: token.count))
  }

  // MARK: Writing

  /// Appends the string that a reader is at.
  @inline(__always)
  mutating func appendString(from reader: inout JSON.Reader) throws(JSON.Fault) {
    let offset = reader.offset &+ 1
    append(try reader.scanString(into: &heap), at: offset)
  }

  /// Appends a string whose text is in the file or the last one of the heap.
  @inline(__always)
  mutating func append(_ token: JSON.StringToken, at offset: Int) {
    if token.traits.contains(.isInHeap) {
      appendHeap(
        .string, traits: token.traits.rawValue, heap.count - token.count, count: token.count,
        at: offset)
    } else {
      append(.string, traits: token.traits.rawValue, at: offset, count: token.count)
    }
  }

  /// Appends a string or data of the file.
  @inline(__always)
  mutating func append(_ kind: Kind, traits: UInt8, at offset: Int, count: Int) {
    let length = min(UInt64(truncatingIfNeeded: count), Self.lengthLimit)
    append(Self.word(kind, traits: traits, middle: length, offset: offset))
    if length == Self.lengthLimit { append(UInt64(truncatingIfNeeded: count)) }
  }

  /// Appends a string of the file, which must be UTF-8.
  @inline(__always)
  mutating func appendText(at offset: Int, count: Int, isASCII: Bool) {
    reserve()
    append(.string, traits: traits(count, isASCII), at: offset, count: count)
  }

  @inline(__always)
  private func traits(_ count: Int, _ isASCII: Bool) -> UInt8 {
    let isShared = format == .binary && count >= SharedValues.minimumLength
    return (isASCII ? 0 : Self.notASCIITrait) | (isShared ? Self.sharedTrait : 0)
  }

  /// Appends a string that the file has in another form.
  mutating func appendText(_ text: String, at offset: Int) {
    var text = text
    text.withUTF8 { bytes in
      let heapOffset = heap.append(UnsafeRawBufferPointer(bytes))
      appendHeapText(heapOffset, count: bytes.count, at: offset)
    }
  }

  /// Appends a string whose bytes are in the heap.
  mutating func appendHeapText(_ heapOffset: Int, count: Int, at offset: Int) {
    let bytes = UnsafeBufferPointer(start: UnsafePointer(heap.start) + heapOffset, count: count)
    appendHeap(.string, traits: traits(count, bytes.isASCII), heapOffset, count: count, at: offset)
  }

  /// Appends a string once more.
  mutating func appendCopy(of index: Int) {
    reserve()
    for word in index..<next(index) { append(words[word]) }
  }

  /// Appends data that the file has in another form.
  mutating func appendData(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    let heapOffset = heap.append(bytes)
    appendHeap(.data, traits: 0, heapOffset, count: bytes.count, at: offset)
  }

  private mutating func appendHeap(
    _ kind: Kind, traits: UInt8, _ heapOffset: Int, count: Int, at offset: Int
  ) {
    reserve()
    append(
      Self.word(
        kind, traits: traits | Self.heapTrait, middle: Self.lengthLimit, offset: offset))
    append(UInt64(truncatingIfNeeded: heapOffset) &<< 32 | UInt64(truncatingIfNeeded: count))
  }

  /// Appends a string that stands as UTF-16 in the file, the high byte first.
  ///
  /// A lone surrogate, which a string cannot hold, becomes U+FFFD, as with Foundation.
  ///
  /// - Returns: The offset of the text in the heap, and its length there.
  mutating func appendUTF16(
    _ units: UnsafePointer<UInt8>, count: Int, at offset: Int
  ) -> (heapOffset: Int, count: Int) {
    heap.reserve(count * 3)
    let text = heap.start + heap.count
    var end = text
    var index = 0
    while index < count {
      var scalar = UInt32(units[2 * index]) << 8 | UInt32(units[2 * index + 1])
      index += 1
      if scalar & 0xF800 == 0xD800 {
        let next =
          index < count ? UInt32(units[2 * index]) << 8 | UInt32(units[2 * index + 1]) : 0
        if scalar < 0xDC00, next & 0xFC00 == 0xDC00 {
          scalar = 0x1_0000 + (scalar & 0x3FF) << 10 + next & 0x3FF
          index += 1
        } else {
          scalar = 0xFFFD
        }
      }
      end = JSON.append(scalar, to: end)
    }
    let heapOffset = heap.count
    heap.advance(end - text)
    appendHeapText(heapOffset, count: end - text, at: offset)
    return (heapOffset, end - text)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether every byte is below 0x80; eight are examined together.
  @inline(__always)
  var isASCII: Bool {
    guard let base = baseAddress else { return true }
    var offset = 0
    var all: UInt64 = 0
    while offset + 8 <= count {
      all |= UnsafeRawPointer(base + offset).loadUnaligned(as: UInt64.self)
      offset += 8
    }
    while offset < count {
      all |= UInt64(base[offset])
      offset += 1
    }
    return all & 0x8080_8080_8080_8080 == 0
  }
}
