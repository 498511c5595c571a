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
}
