/// Bytes that grow at the end, without the checks that an array makes for each of them.
package struct ByteBuffer: ~Copyable, @unchecked Sendable {
  // `@unchecked Sendable`: the memory has this one owner, as nothing copies it.
  @usableFromInline var base: UnsafeMutableRawPointer
  @usableFromInline var capacity: Int
  @usableFromInline var size = 0

  /// How many bytes there are.
  @inlinable package var count: Int { size }

  package init(capacity: Int = 256) {
    base = .allocate(byteCount: capacity, alignment: 16)
    self.capacity = capacity
  }

  deinit { base.deallocate() }

  /// The bytes, for as long as nothing is added.
  @inlinable package var bytes: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: base, count: size)
  }

  /// Forgets the bytes from an offset on.
  @inlinable package mutating func removeAll(from offset: Int = 0) { size = offset }

  /// Adds bytes to be filled in later.
  @inlinable package mutating func append(unfilled count: Int) {
    if size + count > capacity { grow(by: count) }
    size += count
  }

  @inlinable package mutating func append(_ byte: UInt8) {
    if size == capacity { grow(by: 1) }
    base.storeBytes(of: byte, toByteOffset: size, as: UInt8.self)
    size += 1
  }

  /// Adds a number's bytes, the least significant first.
  @inlinable package mutating func append<Number: FixedWidthInteger>(littleEndian number: Number) {
    let width = MemoryLayout<Number>.size
    if size + width > capacity { grow(by: width) }
    base.storeBytes(of: number.littleEndian, toByteOffset: size, as: Number.self)
    size += width
  }

  @inlinable package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
    if size + bytes.count > capacity { grow(by: bytes.count) }
    (base + size).copyMemory(from: start, byteCount: bytes.count)
    size += bytes.count
  }

  @usableFromInline mutating func grow(by needed: Int) {
    let larger = max(capacity * 2, size + needed)
    let new = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
    new.copyMemory(from: base, byteCount: size)
    base.deallocate()
    base = new
    capacity = larger
  }
}
