#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The number that a token stands for, in each of the types that a field may have.
extension JSON.NumberToken {
  /// The bytes of the number, signs and all.
  var text: UnsafeBufferPointer<UInt8> { JSON.Reader.text(ofNumberAt: start) }

  /// The nearest double; `nil` if it is not finite and the text does not say so.
  @inlinable @inline(__always) var double: Double? {
    // A short number with few decimals, or none, needs one division.
    if traits.contains(.isExact),
      let value = Double.nearest(toMantissa: mantissa, exponent: exponent)
    {
      return traits.contains(.isNegative) ? -value : value
    }
    return doubleFromText()
  }

  @usableFromInline @inline(never) func doubleFromText() -> Double? {
    if traits.contains(.isSpecial) {
      guard traits.contains(.isInfinite) else { return .nan }
      return traits.contains(.isNegative) ? -.infinity : .infinity
    }
    guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else {
      return nil
    }
    return value
  }

  /// The nearest float, rounded once; `nil` if it is not finite and the text does not say so.
  var float: Float? {
    guard let double else { return nil }
    if traits.contains(.isSpecial) { return Float(double) }
    let float = Float(double)
    // A double half way between two floats may itself have been rounded: only the text can say.
    if double.bitPattern & 0x1FFF_FFFF == 0x1000_0000 || double.magnitude < 0x1p-126 {
      guard let value = Float(String(decoding: text, as: UTF8.self)) else { return nil }
      return value.isFinite ? value : nil
    }
    return float.isFinite ? float : nil
  }

  /// The whole number, if it is one and fits; `1.0` and `1e3` are whole numbers too.
  @inlinable @inline(__always)
  func integer<Integer: FixedWidthInteger>(as type: Integer.Type) -> Integer? {
    if traits.isSuperset(of: [.isInteger, .isExact]) {
      guard let value = Integer(exactly: mantissa) else {
        return negatedMinimum(as: type)
      }
      if !traits.contains(.isNegative) { return value }
      if Integer.isSigned { return 0 &- value }
      return mantissa == 0 ? 0 : nil
    }
    return integerFromText(as: type)
  }

  /// The lowest number of a type, whose magnitude does not fit it.
  @usableFromInline @inline(never)
  func negatedMinimum<Integer: FixedWidthInteger>(as type: Integer.Type) -> Integer? {
    guard traits.contains(.isNegative), Integer.isSigned,
      Integer.min.magnitude == Integer.Magnitude(truncatingIfNeeded: mantissa),
      mantissa == UInt64(truncatingIfNeeded: Integer.min.magnitude)
    else { return nil }
    return .min
  }

  @usableFromInline @inline(never)
  func integerFromText<Integer: FixedWidthInteger>(as type: Integer.Type) -> Integer? {
    guard !traits.contains(.isSpecial) else { return nil }
    if traits.contains(.isInteger) { return Integer(String(decoding: text, as: UTF8.self)) }
    guard traits.contains(.isExact) else { return Decimal128Digits(text)?.integer(as: type) }
    return Decimal128Digits(
      digits: UInt128(mantissa), exponent: exponent, isNegative: traits.contains(.isNegative)
    ).integer(as: type)
  }

  /// The number in decimal, exactly; `nil` if it has more than the 38 digits of a `Decimal`, or an
  /// exponent that it has no room for.
  var decimal: Decimal? {
    guard !traits.contains(.isSpecial) else { return nil }
    if traits.contains(.isExact), (-120...120).contains(exponent) {
      return Decimal(
        sign: traits.contains(.isNegative) ? .minus : .plus, exponent: exponent,
        significand: Decimal(mantissa))
    }
    return Decimal(string: String(decoding: text, as: UTF8.self))
  }
}

/// Up to 38 decimal digits, with which a number that is whole in spite of its point or exponent is
/// told exactly.
struct Decimal128Digits {
  var digits: UInt128
  var exponent: Int
  var isNegative: Bool

  init(digits: UInt128, exponent: Int, isNegative: Bool) {
    self.digits = digits
    self.exponent = exponent
    self.isNegative = isNegative
  }

  /// - Parameter text: A number as RFC 8259 has it.
  init?(_ text: UnsafeBufferPointer<UInt8>) {
    self.init(digits: 0, exponent: 0, isNegative: text.first == UInt8(ascii: "-"))
    var isFraction = false
    var zeros = 0
    for (index, byte) in text.enumerated() {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        if isFraction { exponent -= 1 }
        zeros += 1
        if byte == UInt8(ascii: "0") { continue }
        // Zeros count once another digit follows them.
        for _ in 0..<zeros {
          let (product, overflow) = digits.multipliedReportingOverflow(by: 10)
          if overflow { return nil }
          digits = product
        }
        let (sum, overflow) = digits.addingReportingOverflow(UInt128(byte - UInt8(ascii: "0")))
        if overflow { return nil }
        digits = sum
        zeros = 0
      case UInt8(ascii: "."): isFraction = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        let digits = String(decoding: text[(index + 1)...], as: UTF8.self)
        exponent += min(max(Int(digits) ?? 0, -JSON.exponentLimit), JSON.exponentLimit)
        self.exponent += zeros
        return
      default: continue
      }
    }
    exponent += zeros
  }

  func integer<Integer: FixedWidthInteger>(as type: Integer.Type) -> Integer? {
    var value = digits
    if value == 0 { return 0 }
    var exponent = exponent
    while exponent < 0 {
      let (quotient, remainder) = value.quotientAndRemainder(dividingBy: 10)
      guard remainder == 0 else { return nil }
      value = quotient
      exponent += 1
    }
    while exponent > 0 {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      if overflow { return nil }
      value = product
      exponent -= 1
    }
    if !isNegative { return Integer(exactly: value) }
    guard Integer.isSigned else { return nil }
    if let magnitude = Integer(exactly: value) { return 0 - magnitude }
    return UInt128(exactly: Integer.min.magnitude) == value ? .min : nil
  }
}
