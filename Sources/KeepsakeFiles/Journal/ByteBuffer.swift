/// Bytes that grow at the end, without the checks that an array makes for each of them.
package struct ByteBuffer: ~Copyable, @unchecked Sendable {
  // `@unchecked Sendable`: the memory has this one owner, as nothing copies it.
  private var base: UnsafeMutableRawPointer
  private var capacity: Int
  private var size = 0

  /// How many bytes there are.
  package var count: Int { size }

  package init(capacity: Int = 256) {
    base = .allocate(byteCount: capacity, alignment: 16)
    self.capacity = capacity
  }

  deinit { base.deallocate() }

  /// The bytes, for as long as nothing is added.
  package var bytes: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: base, count: size)
  }

  /// Forgets the bytes from an offset on.
  package mutating func removeAll(from offset: Int = 0) { size = offset }

  /// Adds bytes to be filled in at once.
  ///
  /// - Returns: Where they are, for as long as nothing is added.
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
