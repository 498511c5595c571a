extension String {
  /// The string of bytes that are known to be UTF-8, without a second check where that can be.
  @inlinable @inline(__always)
  init(knownUTF8 bytes: UnsafeBufferPointer<UInt8>, isASCII: Bool) {
    #if canImport(Darwin)
    // `UTF8Span` is not on every system that this library runs on.
    self.init(decoding: bytes, as: UTF8.self)
    #else
    self.init(
      copying: UTF8Span(unchecked: Span(_unsafeElements: bytes), isKnownASCII: isASCII))
    #endif
  }
}
