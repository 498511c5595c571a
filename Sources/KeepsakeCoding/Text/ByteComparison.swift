/// Whether bytes are the same, a word at a time.
@usableFromInline enum ByteComparison {
  @inlinable @inline(__always)
  static func areEqual(
    _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ count: Int
  ) -> Bool {
    let (a, b) = (UnsafeRawPointer(a), UnsafeRawPointer(b))
    if count >= 8 {
      var index = 0
      while index &+ 8 <= count {
        if a.loadUnaligned(fromByteOffset: index, as: UInt64.self)
          != b.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        {
          return false
        }
        index &+= 8
      }
      // The last eight bytes may overlap those before.
      return a.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
        == b.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
    }
    if count >= 4 {
      return a.loadUnaligned(as: UInt32.self) == b.loadUnaligned(as: UInt32.self)
        && a.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
          == b.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
    }
    for index in 0..<count
    where a.load(fromByteOffset: index, as: UInt8.self)
      != b.load(fromByteOffset: index, as: UInt8.self)
    {
      return false
    }
    return true
  }

  /// Whether bytes sort before others.
  ///
  /// Eight bytes are compared at a time, the first one as the most significant.
  @inline(__always)
  static func precedes(
    _ bytes: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    let count = min(bytes.count, other.count)
    let (start, otherStart) = (UnsafeRawBufferPointer(bytes), UnsafeRawBufferPointer(other))
    var offset = 0
    while offset + 8 <= count {
      let word = start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      let otherWord = otherStart.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      if word != otherWord { return word.bigEndian < otherWord.bigEndian }
      offset += 8
    }
    while offset < count {
      if bytes[offset] != other[offset] { return bytes[offset] < other[offset] }
      offset += 1
    }
    return bytes.count < other.count
  }
}
