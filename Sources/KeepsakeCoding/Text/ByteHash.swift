/// A hash of bytes that a file cannot be made to collide in.
enum ByteHash {
  /// Another number in every process.
  private static let seed = UInt64.random(in: .min ... .max) | 1

  @inline(__always)
  static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    guard let start = bytes.baseAddress else { return seed }
    return hash(start, count: bytes.count)
  }

  @inline(__always)
  static func hash(_ bytes: UnsafePointer<UInt8>, count: Int) -> UInt64 {
    var hash = seed &+ UInt64(count)
    var offset = 0
    while offset < count {
      let left = count - offset
      var word: UInt64 = 0
      if left >= 8 {
        word = UnsafeRawPointer(bytes + offset).loadUnaligned(as: UInt64.self)
      } else {
        for index in 0..<left { word |= UInt64(bytes[offset + index]) << UInt64(8 * index) }
      }
      let product = (hash ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
      hash = product.high ^ product.low &+ seed
      offset += 8
    }
    return hash
  }
}
