/// Decimal digits of integers, two and eight at a time.
enum Digits {
  /// "00", "01", … "99".
  private static let pairs: StaticString = """
    00010203040506070809101112131415161718192021222324252627282930313233343536373839\
    40414243444546474849505152535455565758596061626364656667686970717273747576777879\
    8081828384858687888990919293949596979899
    """

  private static let powers: [UInt64] = [
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
    10_000_000_000, 100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000,
    1_000_000_000_000_000, 10_000_000_000_000_000, 100_000_000_000_000_000,
    1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
  ]

  /// The longest text of a 64-bit integer, with its sign.
  static let longest64 = 20

  /// The longest text of a 128-bit integer, with its sign.
  static let longest128 = 40

  /// The number of decimal digits of a number; one for zero.
  @inline(__always)
  static func count(_ number: UInt64) -> Int {
    // The bits give the number of digits, or one too few: 1233 / 4096 is log10(2) from above.
    let bits = 64 &- (number | 1).leadingZeroBitCount
    let estimate = (bits &* 1233) &>> 12
    // 64 bits give 19 at most, the last index.
    return estimate &+ (powers.withUnsafeBufferPointer { (number | 1) >= $0[estimate] } ? 1 : 0)
  }

  @inline(__always)
  static func writePair(_ number: UInt32, to output: UnsafeMutablePointer<UInt8>) {
    // The caller's number is below 100.
    let pair = UnsafeRawPointer(pairs.utf8Start + Int(number &* 2)).loadUnaligned(as: UInt16.self)
    UnsafeMutableRawPointer(output).storeBytes(of: pair, as: UInt16.self)
  }

  /// Writes a number below 10^8 with its leading zeros.
  @inline(__always)
  private static func writeEight(_ number: UInt32, to output: UnsafeMutablePointer<UInt8>) {
    let high = number / 10_000
    let low = number &- high &* 10_000
    writePair(high / 100, to: output)
    writePair(high % 100, to: output + 2)
    writePair(low / 100, to: output + 4)
    writePair(low % 100, to: output + 6)
  }

  /// Writes the digits of a number.
  ///
  /// - Parameters:
  ///   - count: What ``count(_:)`` says of the number.
  ///   - output: At least `count` bytes.
  @inline(__always)
  static func write(
    _ number: UInt64, count: Int, to output: UnsafeMutablePointer<UInt8>
  ) {
    var end = output + count
    var rest = number
    while rest >= 100_000_000 {
      let quotient = rest / 100_000_000
      end -= 8
      writeEight(UInt32(truncatingIfNeeded: rest &- quotient &* 100_000_000), to: end)
      rest = quotient
    }
    var low = UInt32(truncatingIfNeeded: rest)
    while low >= 100 {
      let quotient = low / 100
      end -= 2
      writePair(low &- quotient &* 100, to: end)
      low = quotient
    }
    if low >= 10 {
      writePair(low, to: end - 2)
    } else {
      (end - 1).pointee = UInt8(truncatingIfNeeded: low) &+ 0x30
    }
  }

  /// Writes a number and returns the length of its text.
  ///
  /// - Parameter output: At least ``longest64`` bytes.
  @inline(__always)
  static func write(_ number: UInt64, to output: UnsafeMutablePointer<UInt8>) -> Int {
    let count = count(number)
    write(number, count: count, to: output)
    return count
  }

  /// Writes a number and returns the length of its text.
  ///
  /// - Parameter output: At least ``longest128`` bytes.
  static func write(_ number: UInt128, to output: UnsafeMutablePointer<UInt8>) -> Int {
    if let number = UInt64(exactly: number) { return write(number, to: output) }
    let (high, low) = number.quotientAndRemainder(dividingBy: 10_000_000_000_000_000)
    let length = write(high, to: output)
    let (first, second) = UInt64(truncatingIfNeeded: low)
      .quotientAndRemainder(dividingBy: 100_000_000)
    writeEight(UInt32(truncatingIfNeeded: first), to: output + length)
    writeEight(UInt32(truncatingIfNeeded: second), to: output + length + 8)
    return length + 16
  }
}
