extension JSON {
  /// A copy of a text with zero bytes behind it.
  ///
  /// RFC 8259 has no place for a zero byte, so every scan stops at the first one behind the text
  /// without counting, and a load of 64 bytes may begin at any byte of the text. Copying costs
  /// little beside reading: memory is copied at some ten gigabytes a second.
  @usableFromInline final class Input {
    /// Loads begin at most one byte behind the text, and take 64 bytes at most.
    static let padding = 80

    private let buffer: UnsafeMutableRawBufferPointer
    @usableFromInline let start: UnsafeMutablePointer<UInt8>
    @usableFromInline let count: Int

    @usableFromInline init(copying bytes: UnsafeRawBufferPointer) {
      var text = bytes
      // A byte order mark says nothing in UTF-8, and may be left out of account (RFC 8259, 8.1).
      if text.count >= 3, text[0] == 0xEF, text[1] == 0xBB, text[2] == 0xBF {
        text = UnsafeRawBufferPointer(rebasing: text[3...])
      }
      count = text.count
      buffer = BufferPool.take(count + Self.padding)
      start = buffer.bindMemory(to: UInt8.self).baseAddress.unsafelyUnwrapped
      if let source = text.baseAddress {
        UnsafeMutableRawPointer(start).copyMemory(from: source, byteCount: count)
      }
      (start + count).initialize(repeating: 0, count: Self.padding)
    }

    deinit { BufferPool.giveBack(buffer) }
  }
}

extension JSON.Input {
  /// Copies a text, as ``detectingEncoding(of:)-(UnsafeRawBufferPointer)`` does.
  static func detectingEncoding(of bytes: [UInt8]) throws(JSON.Fault) -> JSON.Input {
    try bytes.withUnsafeBytes { bytes in
      Result { () throws(JSON.Fault) in try detectingEncoding(of: bytes) }
    }.get()
  }

  /// Copies a text in UTF-8, or in UTF-16 or UTF-32 of either byte order, which the zero bytes
  /// around its first character tell apart (RFC 4627, section 3).
  static func detectingEncoding(of bytes: UnsafeRawBufferPointer) throws(JSON.Fault) -> JSON.Input {
    guard let encoding = WideEncoding(of: bytes) else { return JSON.Input(copying: bytes) }
    do throws(WideEncoding.InvalidUnit) {
      return try encoding.utf8(of: bytes).withUnsafeBytes { JSON.Input(copying: $0) }
    } catch {
      throw JSON.Fault(.invalidEncoding, at: error.offset)
    }
  }
}
