/// The bytes that a value is read from: a copy, or bytes that the caller owns.
@usableFromInline final class InputBytes {
  /// The zero bytes behind a copy. Loads begin at most one byte behind the text, and take 64 bytes
  /// at most.
  static let padding = 80

  @usableFromInline private(set) var start: UnsafePointer<UInt8>
  @usableFromInline let count: Int
  /// The copy's memory; empty if there is none.
  private var buffer: UnsafeMutableRawBufferPointer

  /// Copies a text, with zero bytes behind it.
  ///
  /// RFC 8259 has no place for a zero byte, so every scan stops at the first one behind the text
  /// without counting. Copying costs little beside reading: memory is copied at some ten gigabytes
  /// a second.
  @usableFromInline init(copying bytes: UnsafeRawBufferPointer) {
    var text = bytes
    // A byte order mark says nothing in UTF-8, and may be ignored (RFC 8259, 8.1).
    if text.count >= 3, text[0] == 0xEF, text[1] == 0xBB, text[2] == 0xBF {
      text = UnsafeRawBufferPointer(rebasing: text[3...])
    }
    (buffer, start) = Self.copy(text)
    count = text.count
  }

  /// Bytes that stay where they are until ``keep()`` is called.
  init(borrowing bytes: UnsafeBufferPointer<UInt8>) {
    // An empty buffer may have no address; it is never read from then.
    start = bytes.baseAddress ?? UnsafePointer(bitPattern: 1).unsafelyUnwrapped
    count = bytes.count
    buffer = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  }

  deinit {
    if buffer.baseAddress != nil { BufferPool.release(buffer) }
  }

  /// Copies bytes that the caller owns and is about to free.
  func keep() {
    guard buffer.baseAddress == nil else { return }
    (buffer, start) = Self.copy(UnsafeRawBufferPointer(start: start, count: count))
  }

  private static func copy(
    _ bytes: UnsafeRawBufferPointer
  ) -> (UnsafeMutableRawBufferPointer, UnsafePointer<UInt8>) {
    let buffer = BufferPool.acquire(bytes.count + padding)
    if bytes.count > 0 { buffer.copyMemory(from: bytes) }
    UnsafeMutableRawBufferPointer(rebasing: buffer[bytes.count..<(bytes.count + padding)])
      .initializeMemory(as: UInt8.self, repeating: 0)
    return (buffer, UnsafePointer(buffer.bindMemory(to: UInt8.self).baseAddress.unsafelyUnwrapped))
  }
}

extension InputBytes {
  /// The bytes, valid as long as the object.
  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

  /// Copies a text in UTF-8, UTF-16 or UTF-32.
  static func detectingEncoding(
    of bytes: UnsafeRawBufferPointer
  ) throws(WideEncoding.InvalidUnit) -> InputBytes {
    guard let encoding = WideEncoding(of: bytes) else { return InputBytes(copying: bytes) }
    return try encoding.utf8(of: bytes).withUnsafeBytes { InputBytes(copying: $0) }
  }

  /// Copies a text in UTF-8, UTF-16 or UTF-32.
  static func detectingEncoding(of bytes: [UInt8]) throws(WideEncoding.InvalidUnit) -> InputBytes {
    try bytes.withUnsafeBytes { bytes in
      Result { () throws(WideEncoding.InvalidUnit) in try detectingEncoding(of: bytes) }
    }.get()
  }
}
