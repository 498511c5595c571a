extension Tape {
  /// Text and data that the file does not hold in the form that they are used in.
  struct Heap: ~Copyable {
    /// The first byte; undefined while there is none.
    private(set) var start = UnsafeMutablePointer<UInt8>(bitPattern: 1).unsafelyUnwrapped
    private(set) var count = 0
    private var capacity = 0

    deinit {
      if capacity > 0 { start.deallocate() }
    }

    /// The most bytes: a row has 32 bits for a place.
    static let maximumCount = Int(UInt32.max)

    /// Makes room behind the last byte.
    ///
    /// - Precondition: The heap does not become larger than ``maximumCount``.
    mutating func reserve(_ length: Int) {
      guard count + length > capacity else { return }
      precondition(count + length <= Self.maximumCount, "too much text for one property list")
      let newCapacity = max(capacity * 2, count + length, 256)
      let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: newCapacity)
      if capacity > 0 {
        larger.update(from: start, count: count)
        start.deallocate()
      }
      start = larger
      capacity = newCapacity
    }

    /// Counts bytes that were written behind the last one.
    mutating func advance(_ length: Int) { count += length }

    /// Appends bytes, and returns their place.
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> Int {
      reserve(bytes.count)
      if let base = bytes.baseAddress {
        UnsafeMutableRawPointer(start + count).copyMemory(from: base, byteCount: bytes.count)
      }
      count += bytes.count
      return count - bytes.count
    }
  }
}
