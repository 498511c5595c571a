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

  /// Whether U+2028 or U+2029 is here, which end a line.
  var isAtLineSeparator: Bool {
    position[0] == 0xE2 && position[1] == 0x80 && position[2] & 0xFE == 0xA8
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

  /// Passes over a key without quotes: a name as ECMAScript has them (ECMA-262, 5.1, section 7.6).
  mutating func scanJSON5Name(
    into heap: inout TextHeap
  ) throws(JSON.Fault) -> JSON.StringToken {
    let first = position
    var traits: JSON.StringToken.Traits = []
    let heapOffset = heap.count
    while true {
      let (scalar, length): (Unicode.Scalar?, Int)
      if position.pointee == UInt8(ascii: "\\"), position[1] == UInt8(ascii: "u") {
        if !traits.contains(.isInHeap) {
          traits.insert(.isInHeap)
          _ = heap.append(UnsafeRawBufferPointer(start: first, count: position - first))
        }
        (scalar, length) = (
          JSON.hexadecimal(position + 2, digits: 4).flatMap(Unicode.Scalar.init), 6
        )
      } else if position.pointee < 0x80 {
        (scalar, length) = (Unicode.Scalar(position.pointee), 1)
      } else {
        (scalar, length) = try scalarHere()
      }
      guard let scalar, scalar.isPartOfName(atStart: position == first) else {
        guard position > first else { throw fault(.expectedKey) }
        return traits.contains(.isInHeap)
          ? JSON.StringToken(
            start: UnsafePointer(heap.start) + heapOffset, count: heap.count - heapOffset,
            traits: traits)
          : JSON.StringToken(start: first, count: position - first, traits: traits)
      }
      if !scalar.isASCII { traits.insert(.isNotASCII) }
      if traits.contains(.isInHeap) {
        heap.reserve(4)
        heap.advance(JSON.append(scalar.value, to: heap.end) - heap.end)
      }
      position += length
    }
  }

  /// The scalar of several bytes here, and its length.
  private func scalarHere() throws(JSON.Fault) -> (Unicode.Scalar?, Int) {
    let length =
      switch position.pointee {
      case 0xF0...: 4
      case 0xE0...: 3
      default: 2
      }
    guard UTF8Check.firstInvalid(from: position, to: position + length) == nil else {
      throw JSON.Fault(.invalidUTF8, at: offset)
    }
    var value = UInt32(position.pointee) & (0x7F >> UInt32(length))
    for index in 1..<length { value = value << 6 | UInt32(position[index]) & 0x3F }
    return (Unicode.Scalar(value), length)
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

extension Unicode.Scalar {
  /// Whether a name may have this scalar, or begin with it.
  fileprivate func isPartOfName(atStart: Bool) -> Bool {
    switch value {
    case 0x24, 0x5F, 0x41...0x5A, 0x61...0x7A: return true
    case 0x30...0x39: return !atStart
    case 0..<0x80: return false
    case 0x200C, 0x200D: return !atStart  // Non-joiner and joiner.
    default: break
    }
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .letterNumber:
      return true
    case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation: return !atStart
    default: return false
    }
  }
}
