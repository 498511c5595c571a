/// What every writer writes: numbers and dates without whitespace, tags without attributes.
extension PropertyList.XMLReader {
  /// The digits from an offset on, as many as surely fit.
  @inline(__always)
  private func digits(
    from start: Int, onto number: UInt64 = 0, limit: Int
  ) -> (number: UInt64, end: Int) {
    var number = number
    var offset = start
    let last = min(scanner.count, start + limit)
    while offset < last {
      let digit = scanner.base[offset] &- UInt8(ascii: "0")
      if digit > 9 { break }
      number = number &* 10 &+ UInt64(digit)
      offset += 1
    }
    return (number, offset)
  }

  @inline(__always)
  mutating func readInteger(_ tag: Tag) -> Bool {
    let start = scanner.position
    let isNegative = start < scanner.count && scanner.base[start] == UInt8(ascii: "-")
    let first = isNegative ? start + 1 : start
    let (number, end) = digits(from: first, limit: 18)
    guard end > first, scanner.skip("</integer>", at: end) else { return false }
    tape.append(.integer, isNegative ? 0 &- number : number, at: tag.offset)
    return true
  }

  /// Reads a number of at most 19 digits, which a word holds.
  @inline(__always)
  mutating func readReal(_ tag: Tag) -> Bool {
    let start = scanner.position
    let isNegative = start < scanner.count && scanner.base[start] == UInt8(ascii: "-")
    let first = isNegative ? start + 1 : start
    var (digits, end) = self.digits(from: first, limit: 19)
    guard end > first else { return false }
    var exponent = 0
    if end < scanner.count, scanner.base[end] == UInt8(ascii: ".") {
      let fraction = end + 1
      (digits, end) = self.digits(from: fraction, onto: digits, limit: 19 - (end - first))
      guard end > fraction else { return false }
      exponent = fraction - end
    }
    if end < scanner.count, scanner.base[end] | 0x20 == UInt8(ascii: "e") {
      let sign = end + 1 < scanner.count ? scanner.base[end + 1] : 0
      let isSigned = sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+")
      let (power, powerEnd) = self.digits(from: end + (isSigned ? 2 : 1), limit: 4)
      guard powerEnd > end + (isSigned ? 2 : 1) else { return false }
      exponent += sign == UInt8(ascii: "-") ? -Int(power) : Int(power)
      end = powerEnd
    }
    guard var number = Double.nearest(toMantissa: digits, exponent: exponent),
      scanner.skip("</real>", at: end)
    else { return false }
    if isNegative { number.negate() }
    tape.append(.real, number.bitPattern, at: tag.offset)
    return true
  }

  /// Reads `2026-11-21T01:02:03Z`.
  @inline(__always)
  mutating func readDate(_ tag: Tag) -> Bool {
    let start = scanner.position
    guard scanner.count - start >= 20,
      let seconds = ISO8601.secondsOfPropertyListDate(scanner.base + start, count: 20),
      scanner.skip("</date>", at: start + 20)
    else { return false }
    tape.append(.date, seconds.bitPattern, at: tag.offset)
    return true
  }
}
