/// The shortest decimal digits that read back as the same number, and of those the closest:
/// Giulietti, *The Schubfach way to render doubles*, 2020.
struct ShortestDecimal {
  /// The digits as a number, without trailing zeros if they are those of a fraction.
  var digits: UInt64
  /// The power of ten of the last digit.
  var exponent: Int
}

extension ShortestDecimal {
  /// - Parameter number: A finite number above zero.
  @inline(__always)
  init(_ number: Double) {
    let fraction = number.significandBitPattern
    let biased = Int(truncatingIfNeeded: number.exponentBitPattern)
    var significand = fraction
    var power = -1074
    if biased != 0 {
      significand |= 1 << 52
      power = biased &- 1075
      if power <= 0, power > -53, significand.trailingZeroBitCount >= -power {
        // A whole number below 2^53.
        self.init(digits: significand &>> UInt64(-power), exponent: 0)
        return
      }
    }
    // Most numbers that people write and devices measure have a few decimals. No two decimals of 15
    // digits or fewer are read as the same double, so one that is read as this number is the
    // shortest. Adding 2^52 rounds to a whole number.
    let scaled = number * 1_000_000 + 0x1p52 - 0x1p52
    if scaled < 1e15, scaled / 1_000_000 == number {
      self.init(digits: UInt64(scaled), exponent: -6)
      if digits % 10 == 0 {
        // Fewer than six: the number is not whole.
        removeZeros(4, inverse: 0xD288_CE70_3AFB_7E91, limit: .max / 10_000)
        removeZeros(2, inverse: 0x8F5C_28F5_C28F_5C29, limit: .max / 100)
        removeZeros(1, inverse: 0xCCCC_CCCC_CCCC_CCCD, limit: .max / 10)
      }
      return
    }
    // The number lies closer to the one below where that has a smaller exponent.
    let isIrregular = fraction == 0 && biased > 1
    let tens = Self.decimalExponent(ofPower: power, isIrregular: isIrregular)
    let shift = UInt64(power &+ Self.binaryExponent(ofTen: -tens) &+ 1)
    let (high, low) = Self.power(ofTen: -tens)
    let center = significand &<< 2
    let below = Self.multiply(high, low, (center &- (isIrregular ? 1 : 2)) &<< shift)
    let middle = Self.multiply(high, low, center &<< shift)
    let above = Self.multiply(high, low, (center &+ 2) &<< shift)
    self.init(
      below: below, middle: middle, above: above, isOdd: significand & 1 != 0, exponent: tens)
  }

  /// - Parameter number: A finite number above zero.
  @inline(__always)
  init(_ number: Float) {
    let fraction = number.significandBitPattern
    let biased = Int(truncatingIfNeeded: number.exponentBitPattern)
    var significand = UInt64(fraction)
    var power = -149
    if biased != 0 {
      significand |= 1 << 23
      power = biased &- 150
      if power <= 0, power > -24, significand.trailingZeroBitCount >= -power {
        // A whole number below 2^24.
        self.init(digits: significand &>> UInt64(-power), exponent: 0)
        return
      }
    }
    let isIrregular = fraction == 0 && biased > 1
    let tens = Self.decimalExponent(ofPower: power, isIrregular: isIrregular)
    let shift = UInt64(power &+ Self.binaryExponent(ofTen: -tens) &+ 1)
    // 64 bits of the power are enough; the first 28 fit in them whole.
    let (high, low) = PowersOfTen.entry(-tens)
    let factor = high &+ (low == 0 && -tens >= 0 && -tens <= 27 ? 0 : 1)
    let center = significand &<< 2
    let below = Self.multiply(factor, (center &- (isIrregular ? 1 : 2)) &<< shift)
    let middle = Self.multiply(factor, center &<< shift)
    let above = Self.multiply(factor, (center &+ 2) &<< shift)
    self.init(
      below: below, middle: middle, above: above, isOdd: significand & 1 != 0, exponent: tens)
  }

  /// Chooses within the interval that rounds to the number; its ends count if the number is even.
  @inline(__always)
  private init(below: UInt64, middle: UInt64, above: UInt64, isOdd: Bool, exponent: Int) {
    let lower = below &+ (isOdd ? 1 : 0)
    let upper = above &- (isOdd ? 1 : 0)
    let digits = middle / 4
    if digits >= 10 {
      // At most one of the two neighbours with a digit less lies inside.
      let shorter = digits / 10
      let takesLower = lower <= 40 &* shorter
      let takesUpper = 40 &* shorter &+ 40 <= upper
      if takesLower != takesUpper {
        self.init(digits: shorter &+ (takesUpper ? 1 : 0), exponent: exponent &+ 1)
        removeTrailingZeros()
        return
      }
    }
    let takesLower = lower <= 4 &* digits
    let takesUpper = 4 &* digits &+ 4 <= upper
    if takesLower != takesUpper {
      self.init(digits: digits &+ (takesUpper ? 1 : 0), exponent: exponent)
    } else {
      let half = 4 &* digits &+ 2
      let roundsUp = middle > half || (middle == half && digits & 1 != 0)
      self.init(digits: digits &+ (roundsUp ? 1 : 0), exponent: exponent)
    }
    removeTrailingZeros()
  }

  @inline(__always)
  private mutating func removeTrailingZeros() {
    // One in ten numbers gets past the first test.
    guard digits % 10 == 0 else { return }
    removeManyTrailingZeros()
  }

  private mutating func removeManyTrailingZeros() {
    removeZeros(8, inverse: 0xC767_074B_22E9_0E21, limit: .max / 100_000_000)
    removeZeros(4, inverse: 0xD288_CE70_3AFB_7E91, limit: .max / 10_000)
    removeZeros(2, inverse: 0x8F5C_28F5_C28F_5C29, limit: .max / 100)
    removeZeros(1, inverse: 0xCCCC_CCCC_CCCC_CCCD, limit: .max / 10)
    removeZeros(1, inverse: 0xCCCC_CCCC_CCCC_CCCD, limit: .max / 10)
  }

  /// Removes a number of zeros at the end, if there are as many.
  ///
  /// A number is a multiple of 10^*n* if its product with the inverse of 5^*n* modulo 2^64, turned right by
  /// *n* bits, is at most the limit; it is then the quotient (Warren, *Hacker's Delight*, 10-17).
  @inline(__always)
  private mutating func removeZeros(_ count: Int, inverse: UInt64, limit: UInt64) {
    let product = digits &* inverse
    let quotient = product &>> UInt64(count) | product &<< UInt64(64 - count)
    if quotient <= limit {
      digits = quotient
      exponent &+= count
    }
  }

  // MARK: Powers

  /// ⌊log10(2^power)⌋, or of ¾ of it.
  @inline(__always)
  private static func decimalExponent(ofPower power: Int, isIrregular: Bool) -> Int {
    (power &* 1_262_611 &- (isIrregular ? 524_031 : 0)) &>> 22
  }

  /// ⌊log2(10^exponent)⌋.
  @inline(__always)
  private static func binaryExponent(ofTen exponent: Int) -> Int {
    (exponent &* 1_741_647) &>> 19
  }

  /// The first 128 bits of a power of ten, rounded up, as the method needs them.
  @inline(__always)
  private static func power(ofTen exponent: Int) -> (high: UInt64, low: UInt64) {
    let (high, low) = PowersOfTen.entry(exponent)
    let isExact = exponent >= 0 && exponent <= PowersOfTen.highestExactExponent
    let (roundedLow, carries) = low.addingReportingOverflow(isExact ? 0 : 1)
    return (high &+ (carries ? 1 : 0), roundedLow)
  }

  /// The high bits of a product, the last one set if any below them is ("round to odd").
  @inline(__always)
  private static func multiply(_ high: UInt64, _ low: UInt64, _ number: UInt64) -> UInt64 {
    let lowProduct = low.multipliedFullWidth(by: number).high
    let product = high.multipliedFullWidth(by: number)
    let (middle, carries) = product.low.addingReportingOverflow(lowProduct)
    return (product.high &+ (carries ? 1 : 0)) | (middle > 1 ? 1 : 0)
  }

  @inline(__always)
  private static func multiply(_ factor: UInt64, _ number: UInt64) -> UInt64 {
    let product = factor.multipliedFullWidth(by: number)
    return product.high | (product.low &>> 32 > 1 ? 1 : 0)
  }
}

extension PowersOfTen {
  /// The two words of a power.
  @inline(__always)
  static func entry(_ exponent: Int) -> (high: UInt64, low: UInt64) {
    words.withUnsafeBufferPointer {
      // The bounds hold for every exponent of a double.
      precondition(exponent >= lowestExponent && exponent <= highestExponent)
      let index = (exponent &- lowestExponent) &* 2
      return ($0[index], $0[index &+ 1])
    }
  }
}
