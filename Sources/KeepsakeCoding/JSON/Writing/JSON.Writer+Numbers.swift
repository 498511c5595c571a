extension JSON.Writer {
  /// Writes a whole number.
  @inlinable @inline(__always)
  public mutating func write<Number: FixedWidthInteger>(_ number: Number) {
    if Number.bitWidth > 64 {
      if let small = Int64(exactly: number) {
        writeInteger(small.magnitude, isNegative: small < 0)
      } else if Number.bitWidth <= 128 {
        writeInteger(UInt128(truncatingIfNeeded: number.magnitude), isNegative: number < 0)
      } else {
        writeUnescaped(String(number))
      }
    } else {
      writeInteger(UInt64(truncatingIfNeeded: number.magnitude), isNegative: number < 0)
    }
  }

  @usableFromInline
  mutating func writeInteger(_ magnitude: UInt64, isNegative: Bool) {
    reserve(Digits.longest64 + 2)
    if isNegative {
      next.pointee = UInt8(ascii: "-")
      next += 1
    }
    next += Digits.write(magnitude, to: next)
    next.pointee = UInt8(ascii: ",")
    next += 1
  }

  @usableFromInline
  mutating func writeInteger(_ magnitude: UInt128, isNegative: Bool) {
    reserve(Digits.longest128 + 2)
    if isNegative {
      next.pointee = UInt8(ascii: "-")
      next += 1
    }
    next += Digits.write(magnitude, to: next)
    next.pointee = UInt8(ascii: ",")
    next += 1
  }

  /// Writes a number by its shortest digits that read back as the same number.
  ///
  /// - Throws: ``JSON/WriteError/nonConformingNumber(_:)`` if it is infinite or not a number.
  @inlinable @inline(__always)
  public mutating func write(_ number: Double) throws(JSON.WriteError) {
    guard number.isFinite else { throw .nonConformingNumber(number) }
    writeFinite(number)
  }

  /// Writes a number by its shortest digits that read back as the same number.
  ///
  /// - Throws: ``JSON/WriteError/nonConformingNumber(_:)`` if it is infinite or not a number.
  @inlinable @inline(__always)
  public mutating func write(_ number: Float) throws(JSON.WriteError) {
    guard number.isFinite else { throw .nonConformingNumber(Double(number)) }
    writeFinite(number)
  }

  /// Writes a number that is not infinite and a number.
  @usableFromInline
  mutating func writeFinite(_ number: Double) {
    reserve(32)
    if number.sign == .minus {
      next.pointee = UInt8(ascii: "-")
      next += 1
    }
    if number == 0 { return append("0,") }
    // Above 2^53 Swift's own description has an exponent.
    writeReserved(ShortestDecimal(number.magnitude), plainUpTo: number.magnitude <= 0x1p53)
  }

  /// Writes a number that is not infinite and a number.
  @usableFromInline
  mutating func writeFinite(_ number: Float) {
    reserve(32)
    if number.sign == .minus {
      next.pointee = UInt8(ascii: "-")
      next += 1
    }
    if number == 0 { return append("0,") }
    writeReserved(ShortestDecimal(number.magnitude), plainUpTo: number.magnitude <= 0x1p24)
  }

  /// Writes digits as Swift describes them, but for the ".0" of a whole number.
  @inline(__always)
  private mutating func writeReserved(_ decimal: ShortestDecimal, plainUpTo isPlain: Bool) {
    next = decimal.write(to: next, plainUpTo: isPlain)
    next.pointee = UInt8(ascii: ",")
    next += 1
  }

  // MARK: Other values

  /// Writes `true` or `false`.
  @inlinable @inline(__always)
  public mutating func write(_ isTrue: Bool) {
    if isTrue { append("true,") } else { append("false,") }
  }

  /// Writes `null`.
  @inlinable @inline(__always)
  public mutating func writeNull() { append("null,") }

  /// Writes a number given as text, exactly as it is.
  ///
  /// - Throws: ``JSON/WriteError/invalidNumber(_:)`` if it is none by RFC 8259, section 6.
  /// - Complexity: O(*n*), where *n* is the length.
  public mutating func write(numberText text: String) throws(JSON.WriteError) {
    var text = text
    let isNumber = text.withUTF8 { Self.isNumber($0) }
    guard isNumber else { throw .invalidNumber(text) }
    writeUnescaped(text)
  }

  /// Writes text that is known to be a number.
  @usableFromInline
  mutating func writeUnescaped(_ text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    append(UInt8(ascii: ","))
  }

  private static func isNumber(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var rest = text[...]
    func skipDigits() -> Bool {
      let digits = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }.count
      rest.removeFirst(digits)
      return digits > 0
    }
    if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
    if rest.first == UInt8(ascii: "0") {
      rest.removeFirst()
    } else if !skipDigits() {
      return false
    }
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      guard skipDigits() else { return false }
    }
    if let byte = rest.first, byte | 0x20 == UInt8(ascii: "e") {
      rest.removeFirst()
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
      guard skipDigits() else { return false }
    }
    return rest.isEmpty
  }
}
