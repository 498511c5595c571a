#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PropertyList {
  /// Bytes that are being written.
  ///
  /// Either ``free()``, ``takeData()`` or ``takeBytes()`` ends it.
  struct Output {
    private(set) var base: UnsafeMutablePointer<UInt8>
    var count = 0
    private var capacity: Int

    init(capacity: Int) {
      self.capacity = max(capacity, 64)
      base = .allocate(capacity: self.capacity)
    }

    func free() { base.deallocate() }

    /// Sees to it that bytes can be written without looking.
    @inline(__always)
    mutating func reserve(_ length: Int) {
      if capacity &- count < length { grow(by: length) }
    }

    @inline(never)
    private mutating func grow(by length: Int) {
      capacity = max(capacity * 2, count + length)
      let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
      larger.update(from: base, count: count)
      base.deallocate()
      base = larger
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
      reserve(1)
      base[count] = byte
      count &+= 1
    }

    @inline(__always)
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
      guard let start = bytes.baseAddress else { return }
      reserve(bytes.count)
      UnsafeMutableRawPointer(base + count).copyMemory(from: start, byteCount: bytes.count)
      count &+= bytes.count
    }

    @inline(__always)
    mutating func append(_ text: StaticString) {
      append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends the last bytes of a number, the most significant first.
    @inline(__always)
    mutating func append(_ number: UInt64, width: Int) {
      reserve(width)
      var shift = 8 &* (width &- 1)
      while shift >= 0 {
        base[count] = UInt8(truncatingIfNeeded: number &>> UInt64(shift))
        count &+= 1
        shift &-= 8
      }
    }

    /// The bytes, which are not copied.
    consuming func takeData() -> Data {
      Data(
        bytesNoCopy: base, count: count,
        deallocator: .custom { pointer, _ in pointer.deallocate() })
    }

    /// The bytes, which are copied once.
    consuming func takeBytes() -> [UInt8] {
      let bytes = [UInt8](UnsafeBufferPointer(start: base, count: count))
      base.deallocate()
      return bytes
    }
  }
}
