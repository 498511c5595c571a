/// UTF-16 or UTF-32, in which some tools still write JSON and property lists.
struct WideEncoding {
  var unit: Int
  var isBigEndian: Bool
  var markLength: Int

  /// A unit that is not a character, or is not complete.
  struct InvalidUnit: Error {
    var offset: Int
  }

  /// Recognizes the encoding by its byte order mark, or by the zero bytes around the first character
  /// (RFC 4627, section 3).
  init?(of bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 2 else { return nil }
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

  /// The same text in UTF-8, without a byte order mark.
  func utf8(of bytes: UnsafeRawBufferPointer) throws(InvalidUnit) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = markLength
    func read(at index: Int) throws(InvalidUnit) -> UInt32 {
      guard index + unit <= bytes.count else { throw InvalidUnit(offset: index) }
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
        guard low & 0xFC00 == 0xDC00 else { throw InvalidUnit(offset: first) }
        value = 0x10000 + (value & 0x3FF) << 10 + low & 0x3FF
        index += unit
      }
      guard let scalar = Unicode.Scalar(value) else { throw InvalidUnit(offset: first) }
      result.append(contentsOf: UTF8.encode(scalar).unsafelyUnwrapped)
    }
    return result
  }
}
