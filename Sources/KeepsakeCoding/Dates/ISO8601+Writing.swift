extension ISO8601 {
  /// The length of `2026-11-21T01:02:03`.
  package static let length = 19

  /// Writes `2026-11-21T01:02:03`.
  ///
  /// The date of a day: Hinnant, *chrono-Compatible Low-Level Date Algorithms*, 2021.
  ///
  /// - Parameters:
  ///   - seconds: From 2001-01-01T00:00:00Z to a date of the years 1 to 9999.
  ///   - output: At least ``length`` bytes.
  package static func write(_ seconds: Int, to output: UnsafeMutablePointer<UInt8>) {
    let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    let second = UInt32(truncatingIfNeeded: seconds - days * 86_400)
    // Years that begin in March, as the leap day then comes last; 146,097 days are 400 years.
    let day = UInt32(truncatingIfNeeded: days + daysToReferenceDate)
    let era = day / 146_097
    let dayOfEra = day - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let dayOfMonth = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    write(year: year, month: month, day: dayOfMonth, second: second, to: output)
  }

  /// Writes the parts of a date.
  @inline(__always)
  static func write(
    year: UInt32, month: UInt32, day: UInt32, second: UInt32,
    to output: UnsafeMutablePointer<UInt8>
  ) {
    Digits.writePair(year / 100, to: output)
    Digits.writePair(year % 100, to: output + 2)
    output[4] = UInt8(ascii: "-")
    Digits.writePair(month, to: output + 5)
    output[7] = UInt8(ascii: "-")
    Digits.writePair(day, to: output + 8)
    output[10] = UInt8(ascii: "T")
    Digits.writePair(second / 3600, to: output + 11)
    output[13] = UInt8(ascii: ":")
    Digits.writePair(second / 60 % 60, to: output + 14)
    output[16] = UInt8(ascii: ":")
    Digits.writePair(second % 60, to: output + 17)
  }

  /// The digits of a number's fraction above the whole number below it, the fewest that do.
  static func fractionDigits(of seconds: Double) -> String {
    guard seconds != seconds.rounded(.down) else { return "" }
    // 123.25 or 2.5e-07; a number with a fraction is too small for a positive exponent.
    let parts = seconds.magnitude.description.split(separator: "e")
    let mantissa = parts[0].split(separator: ".")
    var digits = mantissa.count > 1 ? String(mantissa[1]) : ""
    if parts.count > 1, let exponent = Int(parts[1]) {
      let fraction = digits == "0" ? "" : digits
      digits = String(repeating: "0", count: -exponent - 1) + mantissa[0] + fraction
    }
    return seconds < 0 ? complement(digits) : digits
  }

  /// The digits of one minus a fraction.
  static func complement(_ digits: String) -> String {
    var result = Array(digits.utf8)
    guard let last = result.lastIndex(where: { $0 != UInt8(ascii: "0") }) else { return digits }
    for index in 0...last {
      // Nine minus the digit, and ten minus the last that counts.
      result[index] =
        UInt8(ascii: "0") + UInt8(ascii: "9") - result[index] + (index == last ? 1 : 0)
    }
    return String(decoding: result, as: UTF8.self)
  }
}
