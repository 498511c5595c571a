/// A growing buffer of bytes, without the checks that an array makes for each element.
package struct ByteBuffer: ~Copyable, @unchecked Sendable {
  // `@unchecked Sendable`: the value cannot be copied, so the memory has one owner.
  private var base: UnsafeMutableRawPointer
  private var capacity: Int
  private var size = 0

  /// The number of bytes.
  package var count: Int { size }

  package init(capacity: Int = 256) {
    base = .allocate(byteCount: capacity, alignment: 16)
    self.capacity = capacity
  }

  deinit { base.deallocate() }

  /// The bytes; valid until bytes are added.
  package var bytes: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: base, count: size)
  }

  /// Removes all bytes from an offset to the end, but keeps the capacity.
  package mutating func removeAll(from offset: Int = 0) { size = offset }

  /// Adds uninitialized bytes, which the caller must fill in.
  ///
  /// - Returns: Their address, valid until bytes are added.
  @discardableResult
  package mutating func extend(by count: Int) -> UnsafeMutableRawPointer {
    if size + count > capacity { grow(by: count) }
    defer { size += count }
    return base + size
  }

  package mutating func append(_ byte: UInt8) {
    extend(by: 1).storeBytes(of: byte, as: UInt8.self)
  }

  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    extend(by: bytes.count).copyMemory(from: start, byteCount: bytes.count)
  }

  private mutating func grow(by needed: Int) {
    let larger = max(capacity * 2, size + needed)
    let new = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
    new.copyMemory(from: base, byteCount: size)
    base.deallocate()
    base = new
    capacity = larger
  }
}
