/// Text and data that a file does not hold in the form that they are used in.
@usableFromInline struct TextHeap: ~Copyable {
  /// The first byte; undefined while there is none.
  private(set) var start = UnsafeMutablePointer<UInt8>(bitPattern: 1).unsafelyUnwrapped
  private(set) var count = 0
  @usableFromInline var buffer = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  @usableFromInline init() {}

  @inlinable deinit {
    if buffer.count > 0 { BufferPool.release(buffer) }
  }

  /// The most bytes: a row has 32 bits for an offset.
  static let maximumCount = Int(UInt32.max)

  /// Where the next byte goes.
  var end: UnsafeMutablePointer<UInt8> { start + count }

  /// The end of the memory.
  var limit: UnsafeMutablePointer<UInt8> { start + buffer.count }

  /// Makes room behind the last byte.
  ///
  /// - Precondition: The heap does not become larger than ``maximumCount``.
  mutating func reserve(_ length: Int) {
    guard count + length > buffer.count else { return }
    precondition(count + length <= Self.maximumCount, "too much text for one file")
    let larger = BufferPool.acquire(max(buffer.count * 2, count + length, 256))
    let memory = larger.bindMemory(to: UInt8.self).baseAddress.unsafelyUnwrapped
    if buffer.count > 0 {
      memory.update(from: start, count: count)
      BufferPool.release(buffer)
    }
    start = memory
    buffer = larger
  }

  /// Counts bytes that were written behind the last one.
  mutating func advance(_ length: Int) { count += length }

  /// Appends bytes, and returns their offset.
  mutating func append(_ bytes: UnsafeRawBufferPointer) -> Int {
    reserve(bytes.count)
    if let base = bytes.baseAddress {
      UnsafeMutableRawPointer(end).copyMemory(from: base, byteCount: bytes.count)
    }
    count += bytes.count
    return count - bytes.count
  }

  /// Forgets all bytes, and keeps the memory.
  mutating func removeAll() { count = 0 }
}
