/// Text, which a tape keeps as UTF-8.
extension PropertyList.Tape {
  /// Adds text of the file, which must be UTF-8.
  @inline(__always)
  mutating func appendText(_ offset: Int, count: Int, isASCII: Bool) {
    append(
      .string, flags: isASCII ? Entry.isASCII : 0, at: offset,
      Self.word(of: source + offset, count: count))
  }

  /// Adds text that does not stand so in the file.
  mutating func appendText(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      let offset = appendToHeap(UnsafeRawBufferPointer(bytes))
      appendHeapText(offset, count: bytes.count)
    }
  }

  /// Adds text that stands as UTF-16 in the file, the high byte first.
  ///
  /// A lone surrogate, which a string cannot hold, becomes U+FFFD, as with Foundation.
  ///
  /// - Returns: Where the text is in the heap, and its length there.
  mutating func appendUTF16(_ start: Int, count: Int) -> (offset: Int, count: Int) {
    reserveHeap(count * 3)
    let (units, text) = (source + start, heap + heapCount)
    var length = 0
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
      length += Self.encode(scalar, to: text + length)
    }
    let offset = heapCount
    heapCount += length
    appendHeapText(offset, count: length)
    return (offset, length)
  }

  @inline(__always)
  private static func encode(_ scalar: UInt32, to text: UnsafeMutablePointer<UInt8>) -> Int {
    func part(_ shift: UInt32) -> UInt8 {
      0x80 | UInt8(truncatingIfNeeded: scalar >> shift & 0x3F)
    }
    if scalar < 0x80 {
      text[0] = UInt8(truncatingIfNeeded: scalar)
      return 1
    }
    if scalar < 0x800 {
      text[0] = 0xC0 | UInt8(truncatingIfNeeded: scalar >> 6)
      text[1] = part(0)
      return 2
    }
    if scalar < 0x1_0000 {
      text[0] = 0xE0 | UInt8(truncatingIfNeeded: scalar >> 12)
      (text[1], text[2]) = (part(6), part(0))
      return 3
    }
    text[0] = 0xF0 | UInt8(truncatingIfNeeded: scalar >> 18)
    (text[1], text[2], text[3]) = (part(12), part(6), part(0))
    return 4
  }

  /// Adds text of the heap.
  mutating func appendHeapText(_ offset: Int, count: Int) {
    let bytes = UnsafeBufferPointer(start: UnsafePointer(heap) + offset, count: count)
    append(
      .string, flags: Entry.isInHeap | (bytes.isASCII ? Entry.isASCII : 0), at: offset,
      Self.word(of: UnsafePointer(heap) + offset, count: count))
  }

  /// Keeps bytes, and returns their place in the heap.
  mutating func appendToHeap(_ bytes: UnsafeRawBufferPointer) -> Int {
    reserveHeap(bytes.count)
    let offset = heapCount
    if let base = bytes.baseAddress {
      UnsafeMutableRawPointer(heap + offset).copyMemory(from: base, byteCount: bytes.count)
    }
    heapCount += bytes.count
    return offset
  }

  private mutating func reserveHeap(_ length: Int) {
    guard heapCount + length > heapCapacity else { return }
    let newCapacity = max(heapCapacity * 2, heapCount + length, 256)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: newCapacity)
    if heapCapacity > 0 {
      larger.update(from: heap, count: heapCount)
      heap.deallocate()
    }
    heap = larger
    heapCapacity = newCapacity
  }

  /// The length of text, and above it its first four bytes: two texts whose words differ are not
  /// equal.
  @inline(__always)
  static func word(of bytes: UnsafePointer<UInt8>, count: Int) -> UInt64 {
    var word = UInt64(UInt32(truncatingIfNeeded: count))
    if count >= 4 {
      let start = UInt32(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt32.self))
      return word | UInt64(start) << 32
    }
    var index = 0
    while index < count {
      word |= UInt64(bytes[index]) << UInt64(32 + 8 * index)
      index += 1
    }
    return word
  }
}
