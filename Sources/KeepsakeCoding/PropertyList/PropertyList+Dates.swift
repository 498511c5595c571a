/// Dates as text: ISO 8601 in UTC, in the proleptic Gregorian calendar.
extension PropertyList {
  /// The days from the year 0's first of March to the reference date, 2001-01-01.
  private static let daysToReferenceDate = 730_791

  /// A day, and the time of it in seconds.
  struct CivilTime {
    let year: Int
    let month: Int
    let day: Int
    let time: Int

    /// - Parameter seconds: From the reference date.
    init(_ seconds: Int) {
      time = (seconds % 86_400 + 86_400) % 86_400
      // Years that begin in March, as the leap day then comes last; 146,097 days are 400 years.
      let days = (seconds - time) / 86_400 + daysToReferenceDate
      let (era, dayOfEra) = (days / 146_097, days % 146_097)
      let yearOfEra =
        (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
      let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
      let monthFromMarch = (5 * dayOfYear + 2) / 153
      year = era * 400 + yearOfEra + (monthFromMarch >= 10 ? 1 : 0)
      month = monthFromMarch >= 10 ? monthFromMarch - 9 : monthFromMarch + 3
      day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    }
  }

  /// Whether a date is in the years 1 to 9999, which the format has a place for.
  static func hasText(secondsSinceReferenceDate seconds: Double) -> Bool {
    // 0001-01-01T00:00:00Z and 10000-01-01T00:00:00Z.
    seconds >= -63_113_904_000 && seconds < 252_423_993_600
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
  private static func complement(_ digits: String) -> String {
    var result = Array(digits.utf8)
    guard let last = result.lastIndex(where: { $0 != UInt8(ascii: "0") }) else { return digits }
    for index in 0...last {
      // Nine minus the digit, and ten minus the last that counts.
      result[index] =
        UInt8(ascii: "0") + UInt8(ascii: "9") - result[index] + (index == last ? 1 : 0)
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The number of seconds from the reference date that a text stands for.
  static func secondsSinceReferenceDate(parsing text: String) -> Double? {
    let bytes = Array(text.utf8)
    guard let whole = bytes.withUnsafeBufferPointer({ wholeSeconds($0) }) else {
      // The writer's form for what has no other. Digits alone would be a mistyped date.
      guard let seconds = Double(text), "\(seconds)" == text else { return nil }
      return seconds
    }
    if bytes.count == 20 { return Double(whole) }
    let fraction = String(decoding: bytes[20..<bytes.count - 1], as: UTF8.self)
    guard fraction.utf8.contains(where: { $0 != UInt8(ascii: "0") }) else { return Double(whole) }
    return whole < 0
      ? Double("-\(-(whole + 1)).\(complement(fraction))") : Double("\(whole).\(fraction)")
  }

  /// The number of seconds of a date without a fraction, if it is one.
  static func secondsSinceReferenceDate(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    bytes.count == 20 ? wholeSeconds(bytes) : nil
  }

  /// The whole seconds of `2026-11-21T01:02:03Z`, with or without a fraction after them.
  private static func wholeSeconds(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard bytes.count >= 20, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"),
      bytes[16] == UInt8(ascii: ":"),
      bytes[bytes.count - 1] == UInt8(ascii: "Z"),
      let year = number(bytes, 0..<4), let month = number(bytes, 5..<7),
      let day = number(bytes, 8..<10), let hour = number(bytes, 11..<13),
      let minute = number(bytes, 14..<16), let second = number(bytes, 17..<19),
      (1...12).contains(month), day >= 1, day <= days(in: month, of: year),
      hour < 24, minute < 60, second < 60
    else { return nil }
    if bytes.count > 20 {
      guard bytes[19] == UInt8(ascii: "."), bytes.count > 21,
        bytes[20..<bytes.count - 1].allSatisfy({ $0 &- UInt8(ascii: "0") < 10 })
      else { return nil }
    }
    // Counted from March, so that the year 0's January is in the year before: 400 years make up
    // for it.
    let shifted = (month <= 2 ? year - 1 : year) + 400
    let monthFromMarch = month <= 2 ? month + 9 : month - 3
    let dayCount =
      365 * shifted + shifted / 4 - shifted / 100 + shifted / 400
      + (153 * monthFromMarch + 2) / 5 + day - 1 - 146_097
    return (dayCount - daysToReferenceDate) * 86_400 + hour * 3_600 + minute * 60 + second
  }

  @inline(__always)
  private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int? {
    var result = 0
    for index in range {
      let byte = bytes[index]
      guard byte &- UInt8(ascii: "0") < 10 else { return nil }
      result = result * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return result
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }
}
