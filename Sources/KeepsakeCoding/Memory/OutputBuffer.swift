#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Bytes that are being written, in memory that grows.
@usableFromInline struct OutputBuffer: ~Copyable {
  /// `base <= next <= limit` always holds, and `limit` is the end of the memory.
  @usableFromInline var base: UnsafeMutablePointer<UInt8>
  @usableFromInline var next: UnsafeMutablePointer<UInt8>
  @usableFromInline var limit: UnsafeMutablePointer<UInt8>
  /// The bytes of the last output that was long, which the next one will have, too.
  private var usualCount = 0

  /// Shorter outputs are copied, so that their memory can be used again.
  private static var minimumCountTaken: Int { 1 << 15 }
  fileprivate static var initialCapacity: Int { 4096 }

  init(capacity: Int = OutputBuffer.initialCapacity) {
    let capacity = max(capacity, 64)
    base = .allocate(capacity: capacity)
    next = base
    limit = base + capacity
  }

  @inlinable deinit { base.deallocate() }
}

extension OutputBuffer {
  /// The bytes written so far.
  @usableFromInline @inline(__always)
  var count: Int { next - base }

  /// The bytes that there is memory for.
  var capacity: Int { limit - base }

  /// Makes room for a number of bytes after `next`.
  @inlinable @inline(__always)
  mutating func reserve(_ length: Int) {
    if limit - next < length { grow(by: length) }
  }

  @usableFromInline @inline(never)
  mutating func grow(by length: Int) {
    let used = next - base
    var capacity = max((limit - base) &* 2, used + length)
    if capacity > Self.minimumCountTaken { capacity = max(capacity, usualCount) }
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: base, count: used)
    base.deallocate()
    base = larger
    next = larger + used
    limit = larger + capacity
  }

  /// Removes what was written after an earlier ``count``.
  @inline(__always)
  mutating func truncate(to count: Int) {
    if count < self.count { next = base + max(count, 0) }
  }

  // MARK: Writing

  /// Writes one byte.
  @inlinable @inline(__always)
  mutating func append(_ byte: UInt8) {
    reserve(1)
    next.pointee = byte
    next += 1
  }

  /// Writes text.
  @inlinable @inline(__always)
  mutating func append(_ text: StaticString) {
    let length = text.utf8CodeUnitCount
    reserve(length)
    UnsafeMutableRawPointer(next).copyMemory(from: text.utf8Start, byteCount: length)
    next += length
  }

  /// Writes bytes, which are not part of the buffer itself.
  @inline(__always)
  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    reserve(bytes.count)
    UnsafeMutableRawPointer(next).copyMemory(from: start, byteCount: bytes.count)
    next += bytes.count
  }

  /// Writes bytes, which are not part of the buffer itself.
  @inline(__always)
  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    append(UnsafeRawBufferPointer(bytes))
  }

  /// Writes the last bytes of a number, the most significant first.
  @inline(__always)
  mutating func append(_ number: UInt64, width: Int) {
    reserve(8)
    // All eight, from the first one wanted on: what follows them is written over.
    let bytes = (number &<< UInt64(truncatingIfNeeded: 64 &- 8 &* width)).bigEndian
    UnsafeMutableRawPointer(next).storeBytes(of: bytes, as: UInt64.self)
    next += width
  }

  // MARK: The end

  /// The bytes; the buffer is empty after it.
  ///
  /// Many are not copied, and the next output will begin with new memory.
  mutating func takeData() -> Data {
    let count = count
    let isLong = count >= Self.minimumCountTaken
    if isLong { usualCount = count + count / 16 }
    // Of memory that is much too large a copy is kept instead.
    guard isLong, capacity - count <= count / 2 else {
      defer { next = base }
      return Data(bytes: base, count: count)
    }
    let taken = base
    base = .allocate(capacity: Self.initialCapacity)
    next = base
    limit = base + Self.initialCapacity
    return Data(
      bytesNoCopy: taken, count: count,
      deallocator: .custom { pointer, _ in pointer.deallocate() })
  }

  /// The bytes, which are copied once.
  func bytes() -> [UInt8] { [UInt8](UnsafeBufferPointer(start: base, count: count)) }
}
