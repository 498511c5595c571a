extension JSON {
  /// A number as it stands in the text: ± mantissa × 10^exponent.
  @usableFromInline struct NumberToken {
    /// The first byte, the sign if there is one.
    @usableFromInline var start: UnsafePointer<UInt8>
    /// The first 19 digits at most; all of them if the number ``Traits/isExact``.
    @usableFromInline var mantissa: UInt64 = 0
    @usableFromInline var exponent = 0
    @usableFromInline var traits: Traits = []

    @inlinable init(start: UnsafePointer<UInt8>) { self.start = start }

    @usableFromInline struct Traits: OptionSet, Sendable {
      @usableFromInline let rawValue: UInt8
      @inlinable init(rawValue: UInt8) { self.rawValue = rawValue }
      @inlinable static var isNegative: Self { Self(rawValue: 1) }
      /// Neither a point nor an exponent is in it.
      @inlinable static var isInteger: Self { Self(rawValue: 2) }
      /// Mantissa and exponent say all of it.
      @inlinable static var isExact: Self { Self(rawValue: 4) }
      /// A number that only JSON5 can write: one that is not finite.
      @inlinable static var isSpecial: Self { Self(rawValue: 8) }
      @inlinable static var isInfinite: Self { [.isSpecial, .isInteger] }
      @inlinable static var isNaN: Self { .isSpecial }
    }
  }

  /// The exponents from here on are not kept in a token, whose word has room for a few bits more.
  @usableFromInline static let exponentLimit = 1_000_000
}

extension JSON.Reader {
  /// Passes over a number, whose first byte the caller has seen, and takes its digits.
  @inlinable @inline(__always)
  mutating func scanNumber() throws(JSON.Fault) -> JSON.NumberToken {
    // Most numbers are whole and short.
    var current = position
    var token = JSON.NumberToken(start: current)
    if current.pointee == UInt8(ascii: "-") {
      token.traits = .isNegative
      current += 1
    }
    let first = current
    var digit = current.pointee &- 0x30
    while digit < 10 {
      token.mantissa = token.mantissa &* 10 &+ UInt64(digit)
      current += 1
      digit = current.pointee &- 0x30
    }
    let count = current - first
    // A point is 0x2E, an E 0x45 or 0x65: none of them ends a whole number.
    if UInt(bitPattern: count &- 1) < 18, first.pointee != UInt8(ascii: "0") || count == 1,
      digit != 0xFE, digit | 0x20 != 0x35
    {
      token.traits.formUnion([.isInteger, .isExact])
      position = current
      return token
    }
    return try scanDecimal(JSON.NumberToken(start: position), isJSON5: false)
  }

  /// Reads a number with a point, at most 19 digits and no exponent, if one is here.
  @inline(__always)
  mutating func readPlainDecimal() -> Double? {
    let start = position
    let isNegative = start.pointee == UInt8(ascii: "-")
    if isNegative { position += 1 }
    let whole = position
    var mantissa: UInt64 = 0
    while position.pointee &- 0x30 < 10 {
      mantissa = mantissa &* 10 &+ UInt64(position.pointee &- 0x30)
      position += 1
    }
    let wholeCount = position - whole
    if position.pointee == UInt8(ascii: "."), wholeCount > 0,
      whole.pointee != UInt8(ascii: "0") || wholeCount == 1
    {
      position += 1
      let fraction = position
      scanDigits(into: &mantissa)
      let count = position - fraction
      if count > 0, count &+ wholeCount <= 19, position.pointee | 0x20 != UInt8(ascii: "e"),
        let value = Double.nearest(toMantissa: mantissa, exponent: 0 &- count)
      {
        return isNegative ? -value : value
      }
    }
    position = start
    return nil
  }

  @usableFromInline
  mutating func scanDecimal(
    _ start: JSON.NumberToken, isJSON5: Bool
  ) throws(JSON.Fault) -> JSON.NumberToken {
    var token = start
    if !isJSON5 {
      position = token.start
      if position.pointee == UInt8(ascii: "-") {
        token.traits = .isNegative
        position += 1
      }
    }
    let whole = position
    var mantissa: UInt64 = 0
    scanDigits(into: &mantissa)
    let wholeCount = position - whole
    if wholeCount > 1, whole.pointee == UInt8(ascii: "0") {
      throw JSON.Fault(.leadingZero, at: whole - self.start)
    }
    var count = wholeCount
    var exponent = 0
    var isInteger = true
    if position.pointee == UInt8(ascii: "."), wholeCount > 0 || isJSON5 {
      isInteger = false
      position += 1
      let fraction = position
      scanDigits(into: &mantissa)
      exponent = fraction - position
      count -= exponent
      if exponent == 0, !isJSON5 { throw fault(.invalidNumber) }
    }
    guard wholeCount > 0 || isJSON5 && count > 0 else { throw fault(.invalidNumber) }
    if position.pointee | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      exponent += try scanExponent()
    }
    if count > 19 {
      // Zeros before the first other digit count for nothing.
      var first = whole
      while first.pointee == UInt8(ascii: "0") || first.pointee == UInt8(ascii: ".") {
        if first.pointee == UInt8(ascii: "0") { count -= 1 }
        first += 1
      }
    }
    token.mantissa = mantissa
    if isInteger { token.traits.insert(.isInteger) }
    // Beyond the limit only the text can say what the number is.
    if count <= 19, exponent.magnitude < JSON.exponentLimit {
      token.exponent = exponent
      token.traits.insert(.isExact)
    }
    return token
  }

  /// Appends the digits here to a number; what does not fit is lost.
  @inline(__always) private mutating func scanDigits(into mantissa: inout UInt64) {
    // Eight at once: a byte is a digit if its high half is 3, and is still if 6 is added.
    while true {
      let word = UInt64(
        littleEndian: UnsafeRawPointer(position).loadUnaligned(as: UInt64.self))
      let digits = word &- 0x3030_3030_3030_3030
      guard (digits | (word &+ 0x4646_4646_4646_4646)) & 0x8080_8080_8080_8080 == 0 else { break }
      let pairs = digits &* 10 &+ digits &>> 8
      let mask: UInt64 = 0x0000_00FF_0000_00FF
      let value =
        ((pairs & mask) &* 0x000F_4240_0000_0064
          &+ (pairs &>> 16 & mask) &* 0x0000_2710_0000_0001) &>> 32
      mantissa = mantissa &* 100_000_000 &+ value
      position += 8
    }
    while position.pointee &- 0x30 < 10 {
      mantissa = mantissa &* 10 &+ UInt64(position.pointee &- 0x30)
      position += 1
    }
  }

  private mutating func scanExponent() throws(JSON.Fault) -> Int {
    position += 1
    let isNegative = position.pointee == UInt8(ascii: "-")
    if isNegative || position.pointee == UInt8(ascii: "+") { position += 1 }
    guard position.pointee &- 0x30 < 10 else { throw fault(.invalidNumber) }
    var value = 0
    while position.pointee &- 0x30 < 10 {
      // No text has digits enough to make up for an exponent this large.
      value = min(value * 10 + Int(position.pointee &- 0x30), 1 << 56)
      position += 1
    }
    return isNegative ? -value : value
  }

  /// The text of a number that was scanned before.
  static func text(ofNumberAt start: UnsafePointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    var end = start
    while true {
      switch end.pointee {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
        UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
        end += 1
      default: return UnsafeBufferPointer(start: start, count: end - start)
      }
    }
  }
}
