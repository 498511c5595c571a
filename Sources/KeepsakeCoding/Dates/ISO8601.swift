/// Dates as RFC 3339 writes them: `2026-11-21T01:02:03.25Z`, in the proleptic Gregorian calendar.
package enum ISO8601 {
  /// The days from the first of March of the year 0 to 2001-01-01.
  static let daysToReferenceDate = 730_791

  /// How much may differ from `2026-11-21T01:02:03Z` but for a fraction of the second.
  package enum Form {
    /// Letters of either case, and an offset in place of the Z: `+01:00`, `+0100` or `+01`.
    case anyOffset
    /// Nothing.
    case onlyUTC
  }

  /// The seconds from 2001-01-01T00:00:00Z to the date that a text names, the double next to them.
  ///
  /// A fraction may have any number of digits.
  ///
  /// - Returns: `nil` if the text is no such date.
  @inline(__always)
  package static func seconds(
    of text: UnsafePointer<UInt8>, count: Int, form: Form = .anyOffset
  ) -> Double? {
    guard count >= 20, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
      text[10] == UInt8(ascii: "T") || (form == .anyOffset && text[10] == UInt8(ascii: "t")),
      text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
      let century = pair(text), let rest = pair(text + 2), let month = pair(text + 5),
      let day = pair(text + 8), let hour = pair(text + 11), let minute = pair(text + 14),
      let second = pair(text + 17), hour < 24, minute < 60, second < 60, day > 0,
      let days = days(toYear: century * 100 + rest, month: month, day: day)
    else { return nil }
    let whole = days * 86_400 + hour * 3_600 + minute * 60 + second
    if count == 20, text[19] == UInt8(ascii: "Z") { return Double(whole) }
    return seconds(whole, UnsafeBufferPointer(start: text + 19, count: count - 19), form)
  }

  /// The seconds of a date of which all but the fraction and the offset is read.
  @inline(never)
  private static func seconds(
    _ seconds: Int, _ text: UnsafeBufferPointer<UInt8>, _ form: Form
  ) -> Double? {
    guard let start = text.baseAddress else { return nil }
    var end = 0
    if text[0] == UInt8(ascii: ".") {
      end = 1
      while end < text.count, text[end] &- 0x30 < 10 { end += 1 }
      guard end > 1 else { return nil }
    }
    guard end < text.count, let offset = offset(start + end, count: text.count - end, form)
    else { return nil }
    let whole = seconds - offset
    var digits = UnsafeBufferPointer(rebasing: text[min(1, end)..<end])
    while digits.last == UInt8(ascii: "0") {
      digits = UnsafeBufferPointer(rebasing: digits.dropLast())
    }
    if digits.isEmpty { return Double(whole) }
    if let seconds = exactSeconds(whole, digits) { return seconds }
    // More digits than a word holds, which the standard library can round.
    let fraction = String(decoding: digits, as: UTF8.self)
    return whole < 0
      ? Double("-\(-(whole + 1)).\(complement(fraction))") : Double("\(whole).\(fraction)")
  }

  /// The double next to whole seconds and a fraction, if both have few digits.
  private static func exactSeconds(
    _ whole: Int, _ digits: UnsafeBufferPointer<UInt8>
  ) -> Double? {
    guard digits.count <= 18 else { return nil }
    var (fraction, scale) = (0 as UInt64, 1 as UInt64)
    for digit in digits {
      fraction = fraction * 10 + UInt64(digit &- 0x30)
      scale *= 10
    }
    // One rounding: the double next to the decimal number, as if it had been written so.
    let (product, overflow) = UInt64(whole.magnitude).multipliedReportingOverflow(by: scale)
    guard !overflow else { return nil }
    let (sum, overflows) =
      whole < 0 ? (product - fraction, false) : product.addingReportingOverflow(fraction)
    guard !overflows, let seconds = Double.nearest(toMantissa: sum, exponent: -digits.count)
    else { return nil }
    return whole < 0 ? -seconds : seconds
  }

  /// The number that two digits stand for.
  @inline(__always) private static func pair(_ text: UnsafePointer<UInt8>) -> Int? {
    let (high, low) = (text[0] &- 0x30, text[1] &- 0x30)
    guard high < 10, low < 10 else { return nil }
    return Int(high) * 10 + Int(low)
  }

  /// The seconds that a time zone is ahead.
  private static func offset(_ text: UnsafePointer<UInt8>, count: Int, _ form: Form) -> Int? {
    if text[0] == UInt8(ascii: "Z") { return count == 1 ? 0 : nil }
    guard form == .anyOffset else { return nil }
    if text[0] == UInt8(ascii: "z") { return count == 1 ? 0 : nil }
    let sign: Int
    switch text[0] {
    case UInt8(ascii: "+"): sign = 1
    case UInt8(ascii: "-"): sign = -1
    default: return nil
    }
    guard count >= 3, let hours = pair(text + 1), hours < 24 else { return nil }
    switch count {
    case 3: return sign * hours * 3_600
    case 5, 6:
      guard count == 5 || text[3] == UInt8(ascii: ":"), let minutes = pair(text + count - 2),
        minutes < 60
      else { return nil }
      return sign * (hours * 3_600 + minutes * 60)
    default: return nil
    }
  }

  /// The days from 2001-01-01 to a date; `nil` if the calendar has no such date.
  private static func days(toYear year: Int, month: Int, day: Int) -> Int? {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let length: Int
    switch month {
    case 2: length = isLeap ? 29 : 28
    case 4, 6, 9, 11: length = 30
    case 1...12: length = 31
    default: return nil
    }
    guard day <= length else { return nil }
    // Counted from March, as the leap day then comes last; 400 years make up for the year 0's
    // January, which would be in the year before.
    let shifted = (month <= 2 ? year - 1 : year) + 400
    let monthFromMarch = month <= 2 ? month + 9 : month - 3
    return 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400
      + (153 * monthFromMarch + 2) / 5 + day - 1 - 146_097 - daysToReferenceDate
  }
}
