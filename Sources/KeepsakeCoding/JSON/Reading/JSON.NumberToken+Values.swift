#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The number that a token stands for, in each of the types that a field may have.
extension JSON.NumberToken {
  /// The bytes of the number, signs and all.
  var text: UnsafeBufferPointer<UInt8> { JSON.Reader.text(ofNumberAt: start) }

  /// The number as RFC 8259 writes it, unless it is not finite, even if it is in the text as only
  /// JSON5 does.
  var plainText: String {
    if traits.contains(.isSpecial) {
      return traits.contains(.isInfinite)
        ? traits.contains(.isNegative) ? "-Infinity" : "Infinity" : "NaN"
    }
    let sign = traits.contains(.isNegative) ? "-" : ""
    var digits = text[...]
    if let first = digits.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
      digits = digits.dropFirst()
    }
    // Hexadecimal numbers are always exact, and no other number goes on with an x.
    let next = digits.count == 1 ? start[sign.isEmpty && text.count == 1 ? 1 : 2] : 0
    if next | 0x20 == UInt8(ascii: "x") { return sign + String(mantissa) }
    guard let point = digits.firstIndex(of: UInt8(ascii: ".")) else {
      return sign + String(decoding: digits, as: UTF8.self)
    }
    let whole = point == digits.startIndex ? "0" : String(decoding: digits[..<point], as: UTF8.self)
    let rest = digits[(point + 1)...]
    let hasFraction = rest.first.map { $0 &- 0x30 < 10 } ?? false
    return sign + whole + (hasFraction ? "." : "") + String(decoding: rest, as: UTF8.self)
  }

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
    guard let value = Double(plainText), value.isFinite else {
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
      guard let value = Float(plainText) else { return nil }
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
    if traits.contains(.isInteger) { return Integer(plainText) }
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
    return Decimal(string: plainText)
  }
}

extension JSON {
  /// The exponent that a number has, between two bounds: what is outside of them takes every number
  /// out of every range, however many digits the number itself has.
  static func exponent(_ text: some Collection<UInt8>) -> Int {
    let bound = 1 << 56
    var value = 0
    for byte in text where byte &- 0x30 < 10 {
      value = min(value * 10 + Int(byte &- 0x30), bound)
    }
    return text.first == UInt8(ascii: "-") ? -value : value
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
        exponent += JSON.exponent(text[(index + 1)...])
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
