extension ShortestDecimal {
  /// The longest text: 17 digits with a point, and four zeros before them or an exponent.
  static let longestText = 30

  /// Writes the digits as Swift describes a number, but for the ".0" of a whole one.
  ///
  /// - Parameters:
  ///   - output: At least ``longestText`` bytes.
  ///   - isPlain: Whether the number is no larger than those whose description has no exponent.
  /// - Returns: The end of the text.
  @inline(__always)
  func write(
    to output: UnsafeMutablePointer<UInt8>, plainUpTo isPlain: Bool
  ) -> UnsafeMutablePointer<UInt8> {
    var next = output
    let count = Digits.count(digits)
    let point = count &+ exponent
    if point > 0 && isPlain {
      if exponent >= 0 {
        // A whole number: below 2^53 it has 16 digits at most, zeros included.
        Digits.write(digits, count: count, to: next)
        next += count
        for _ in 0..<exponent {
          next.pointee = UInt8(ascii: "0")
          next += 1
        }
      } else {
        // The digits one place on, then those before the point moved back.
        Digits.write(digits, count: count, to: next + 1)
        for index in 0..<point { next[index] = next[index &+ 1] }
        next[point] = UInt8(ascii: ".")
        next += count &+ 1
      }
    } else if point > -4 && point <= 0 {
      next[0] = UInt8(ascii: "0")
      next[1] = UInt8(ascii: ".")
      next += 2
      for _ in 0..<(-point) {
        next.pointee = UInt8(ascii: "0")
        next += 1
      }
      Digits.write(digits, count: count, to: next)
      next += count
    } else {
      Digits.write(digits, count: count, to: next + 1)
      next[0] = next[1]
      if count > 1 {
        next[1] = UInt8(ascii: ".")
        next += count &+ 1
      } else {
        next += 1
      }
      next = Self.writeExponent(point &- 1, to: next)
    }
    return next
  }

  /// Writes an exponent with its sign and at least two digits.
  private static func writeExponent(
    _ exponent: Int, to output: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    var next = output
    next[0] = UInt8(ascii: "e")
    next[1] = exponent < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+")
    next += 2
    if exponent.magnitude < 10 {
      next.pointee = UInt8(ascii: "0")
      next += 1
    }
    return next + Digits.write(UInt64(exponent.magnitude), to: next)
  }
}
