/// What JSON5 (<https://spec.json5.org>) has beside comments and trailing commas. None of it is
/// read on a path that plain JSON takes.
extension JSON.Reader {
  /// Passes over one character of whitespace that only JSON5 knows.
  mutating func skipJSON5Whitespace() -> Bool {
    switch (position[0], position[1], position[2]) {
    case (0x0B, _, _), (0x0C, _, _): position += 1
    case (0xC2, 0xA0, _): position += 2  // No-break space.
    // Byte order mark; line and paragraph separators; the spaces of Unicode's category Zs.
    case (0xEF, 0xBB, 0xBF), (0xE2, 0x80, 0xA8), (0xE2, 0x80, 0xA9), (0xE1, 0x9A, 0x80),
      (0xE2, 0x80, 0x80...0x8A), (0xE2, 0x80, 0xAF), (0xE2, 0x81, 0x9F), (0xE3, 0x80, 0x80):
      position += 3
    default: return false
    }
    return true
  }

  /// The length of an escape that only JSON5 knows; `nil` if it is none.
  func lengthOfJSON5Escape() -> Int? {
    let byte = position[1]
    switch byte {
    case UInt8(ascii: "x"): return JSON.hexadecimal(position + 2, digits: 2) == nil ? nil : 4
    case UInt8(ascii: "0") where position[2] &- 0x30 > 9: return 2
    case 0x30...0x39: return nil
    case 0: return position + 1 < end ? 2 : nil
    default: return 1 + JSON.json5Escape(position + 1).length
    }
  }

  /// Passes over a key without quotes: a name as ECMAScript has them, without escapes.
  mutating func scanJSON5Name() throws(JSON.Fault) -> JSON.StringToken {
    let first = position
    while true {
      switch position.pointee {
      case 0x24, 0x5F, 0x41...0x5A, 0x61...0x7A, 0x80...0xFF: position += 1
      case 0x30...0x39 where position > first: position += 1
      default:
        guard position > first else { throw fault(.expectedKey) }
        if let invalid = UTF8Check.firstInvalid(from: first, to: position) {
          throw JSON.Fault(.invalidUTF8, at: invalid - start)
        }
        return JSON.StringToken(start: first, count: position - first, traits: .isNotASCII)
      }
    }
  }

  /// Passes over a number that only JSON5 knows: with a plus, hexadecimal, without a digit on one
  /// side of the point, not finite.
  mutating func scanJSON5Number() throws(JSON.Fault) -> JSON.NumberToken {
    let first = position
    var token = JSON.NumberToken(start: first)
    if position.pointee == UInt8(ascii: "-") { token.traits.insert(.isNegative) }
    if position.pointee == UInt8(ascii: "-") || position.pointee == UInt8(ascii: "+") {
      position += 1
    }
    if matches("Infinity") {
      position += 8
      token.traits.insert(.isInfinite)
      return token
    }
    if matches("NaN") {
      position += 3
      token.traits.insert(.isNaN)
      return token
    }
    if position[0] == UInt8(ascii: "0"), position[1] | 0x20 == UInt8(ascii: "x") {
      position += 2
      let digits = position
      var isExact = true
      while let digit = JSON.hexadecimal(position, digits: 1) {
        if token.mantissa >> 60 != 0 { isExact = false }
        token.mantissa = token.mantissa << 4 | UInt64(digit)
        position += 1
      }
      guard position > digits, isExact else { throw JSON.Fault(.invalidNumber, at: first - start) }
      token.traits.formUnion([.isInteger, .isExact])
      return token
    }
    return try scanDecimal(token, isJSON5: true)
  }

  private func matches(_ word: StaticString) -> Bool {
    for index in 0..<word.utf8CodeUnitCount
    where position[index] != word.utf8Start[index] { return false }
    return true
  }
}

extension JSON {
  /// What an escape stands for that only JSON5 knows, and the bytes that it has after the
  /// backslash. The end of a line stands for nothing.
  static func json5Escape(_ bytes: UnsafePointer<UInt8>) -> (length: Int, scalar: UInt32?) {
    switch bytes.pointee {
    case UInt8(ascii: "x"): return (3, hexadecimal(bytes + 1, digits: 2))
    case UInt8(ascii: "0"): return (1, 0)
    case UInt8(ascii: "v"): return (1, 0x0B)
    case 0x0D: return (bytes[1] == 0x0A ? 2 : 1, nil)
    case 0x0A: return (1, nil)
    case 0xE2 where bytes[1] == 0x80 && bytes[2] & 0xFE == 0xA8: return (3, nil)
    // Every other character stands for itself; if it is not ASCII, its other bytes follow.
    case let byte where byte < 0x80: return (1, UInt32(byte))
    default: return (0, nil)
    }
  }
}
