extension Double {
  /// The powers of ten that a double holds exactly.
  private static let exactPowersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// The double next to a decimal number, ties to even; `nil` where more precision is needed to
  /// say which one that is, and where it is not finite.
  ///
  /// Source: Clinger, *How to read floating point numbers accurately* (1990) for short numbers;
  /// Lemire, *Number parsing at a gigabyte per second* (2021), section 5, for the others.
  @usableFromInline
  static func nearest(toMantissa mantissa: UInt64, exponent: Int) -> Double? {
    // One rounding only: both factors are exact.
    if mantissa < 1 << 53, exponent >= -22, exponent <= 22 {
      let power = exactPowersOfTen[exponent.magnitude == 0 ? 0 : Int(exponent.magnitude)]
      return exponent < 0 ? Double(mantissa) / power : Double(mantissa) * power
    }
    if mantissa == 0 || exponent < -342 { return 0 }
    if exponent > 308 { return nil }
    let leadingZeros = mantissa.leadingZeroBitCount
    let normalized = mantissa &<< UInt64(leadingZeros)
    let index = (exponent - PowersOfTen.lowestExponent) * 2
    var (high, low) = normalized.multipliedFullWidth(by: PowersOfTen.words[index])
    if high & 0x1FF == 0x1FF {
      // The bits below could still carry into what counts. Below one, powers are to be rounded up
      // here: else what is half way between two doubles falls short of it.
      let word = PowersOfTen.words[index + 1] &+ (exponent < 0 ? 1 : 0)
      let carry = normalized.multipliedFullWidth(by: word).high
      let (sum, overflow) = low.addingReportingOverflow(carry)
      low = sum
      if overflow { high &+= 1 }
      if low == .max, !(-27...55).contains(exponent) { return nil }
    }
    let upper = Int(high >> 63)
    let shift = UInt64(upper + 64 - 52 - 3)
    var significand = high &>> shift
    // floor(log2(10^exponent)), as 217706 / 2^16 is log2(10) nearly enough for these exponents.
    var biased = (217_706 &* exponent) >> 16 + 63 + upper - leadingZeros + 1023
    if biased <= 0 { return subnormal(significand, biased: biased) }
    if low <= 1, exponent >= -4, exponent <= 23, significand & 3 == 1,
      significand &<< shift == high
    {
      // Half way between two doubles, exactly: to the even one.
      significand &= ~1
    }
    significand = (significand + significand & 1) >> 1
    if significand >= 2 << 52 {
      significand = 1 << 52
      biased += 1
    }
    guard biased < 2047 else { return nil }
    return Double(bitPattern: UInt64(biased) << 52 | significand & ~(1 << 52))
  }

  private static func subnormal(_ bits: UInt64, biased: Int) -> Double {
    guard biased > -63 else { return 0 }
    let shifted = bits &>> UInt64(1 - biased)
    // Rounding up may make the smallest normal number: its bits follow on the subnormal ones.
    return Double(bitPattern: (shifted + shifted & 1) >> 1)
  }
}
