extension JSON {
  /// A copy of a text with zero bytes behind it.
  ///
  /// RFC 8259 has no place for a zero byte, so every scan stops at the first one behind the text
  /// without counting, and a load of 16 bytes may begin at any byte of the text. Copying costs
  /// little beside reading: memory is copied at some ten gigabytes a second.
  @usableFromInline final class Input {
    /// Loads begin at most one byte behind the text, and take 16 bytes at most.
    static let padding = 64

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
  /// Copies a text in UTF-8, or in UTF-16 or UTF-32 of either byte order, which the zero bytes
  /// around its first character tell apart (RFC 4627, section 3).
  static func detectingEncoding(of bytes: UnsafeRawBufferPointer) throws(JSON.Fault) -> JSON.Input {
    guard bytes.count >= 2, let encoding = JSON.WideEncoding(of: bytes) else {
      return JSON.Input(copying: bytes)
    }
    return try encoding.utf8(of: bytes).withUnsafeBytes { JSON.Input(copying: $0) }
  }
}

extension JSON {
  /// An encoding of two or four bytes a unit, in which some tools still write JSON.
  struct WideEncoding {
    var unit: Int
    var isBigEndian: Bool
    var markLength: Int

    init?(of bytes: UnsafeRawBufferPointer) {
      func byte(_ index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }
      switch (byte(0), byte(1), byte(2), byte(3)) {
      case (0xFF, 0xFE, 0, 0): (unit, isBigEndian, markLength) = (4, false, 4)
      case (0, 0, 0xFE, 0xFF): (unit, isBigEndian, markLength) = (4, true, 4)
      case (0xFF, 0xFE, _, _): (unit, isBigEndian, markLength) = (2, false, 2)
      case (0xFE, 0xFF, _, _): (unit, isBigEndian, markLength) = (2, true, 2)
      case (0, 0, 0, .some(1...)): (unit, isBigEndian, markLength) = (4, true, 0)
      case (.some(1...), 0, 0, 0): (unit, isBigEndian, markLength) = (4, false, 0)
      case (0, .some(1...), _, _): (unit, isBigEndian, markLength) = (2, true, 0)
      case (.some(1...), 0, _, _): (unit, isBigEndian, markLength) = (2, false, 0)
      default: return nil
      }
    }

    /// - Throws: ``JSON/Fault`` at the first unit that is no scalar, or is not whole.
    func utf8(of bytes: UnsafeRawBufferPointer) throws(Fault) -> [UInt8] {
      var result: [UInt8] = []
      result.reserveCapacity(bytes.count)
      var index = markLength
      func read(at index: Int) throws(Fault) -> UInt32 {
        guard index + unit <= bytes.count else { throw Fault(.invalidEncoding, at: index) }
        var value: UInt32 = 0
        for offset in 0..<unit {
          let place = isBigEndian ? offset : unit - 1 - offset
          value = value << 8 | UInt32(bytes[index + place])
        }
        return value
      }
      while index < bytes.count {
        var value = try read(at: index)
        let first = index
        index += unit
        if unit == 2, value & 0xFC00 == 0xD800 {
          let low = try read(at: index)
          guard low & 0xFC00 == 0xDC00 else { throw Fault(.invalidEncoding, at: first) }
          value = 0x10000 + (value & 0x3FF) << 10 + low & 0x3FF
          index += unit
        }
        guard let scalar = Unicode.Scalar(value) else { throw Fault(.invalidEncoding, at: first) }
        result.append(contentsOf: UTF8.encode(scalar).unsafelyUnwrapped)
      }
      return result
    }
  }
}
