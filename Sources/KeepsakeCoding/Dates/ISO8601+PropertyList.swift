/// Dates of XML property lists, which are in the Julian calendar before 1582-10-15, as Foundation
/// writes and reads them.
extension ISO8601 {
  /// 1582-10-15T00:00:00Z, the first second of the Gregorian calendar.
  private static let firstGregorianSecond = -13_197_600_000

  /// Whether an XML property list has a text for a date: it is in the years 0 to 9999.
  static func hasPropertyListText(secondsSinceReferenceDate seconds: Double) -> Bool {
    // 0000-01-01T00:00:00Z in the Julian calendar, and 10000-01-01T00:00:00Z.
    seconds >= -63_145_699_200 && seconds < 252_423_993_600
  }

  /// Writes `2026-11-21T01:02:03`, in the calendar of that day.
  ///
  /// - Parameters:
  ///   - seconds: From 2001-01-01T00:00:00Z to a date of the years 0 to 9999.
  ///   - output: At least ``length`` bytes.
  static func writePropertyListDate(_ seconds: Int, to output: UnsafeMutablePointer<UInt8>) {
    if seconds >= firstGregorianSecond { return write(seconds, to: output) }
    let days = (seconds - 86_399) / 86_400
    // On the first of March of the year 0 the Julian calendar was two days ahead. A year more of four
    // keeps January and February of the year 0 positive; 1,461 days are four years.
    let day = days + daysToReferenceDate + 2 + 1461
    let era = day / 1461
    let dayOfEra = day % 1461
    let yearOfEra = (dayOfEra - dayOfEra / 1460) / 365
    let dayOfYear = dayOfEra - 365 * yearOfEra
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + (era - 1) * 4 + (month <= 2 ? 1 : 0)
    write(
      year: UInt32(year), month: UInt32(month),
      day: UInt32(dayOfYear - (153 * shiftedMonth + 2) / 5 + 1),
      second: UInt32(seconds - days * 86_400), to: output)
  }

  /// The seconds from 2001-01-01T00:00:00Z to the date that a text names, in the calendar of that
  /// day.
  ///
  /// - Returns: `nil` if the text is not such a date; it may have a fraction of a second.
  @inline(__always)
  static func secondsOfPropertyListDate(
    _ text: UnsafePointer<UInt8>, count: Int
  ) -> Double? {
    // "158" and a digit: before the year 1590 it may be a day of the Julian calendar.
    if count >= 20,
      text[0] > UInt8(ascii: "1") || text[0] == UInt8(ascii: "1") && text[1] > UInt8(ascii: "5")
    {
      return seconds(of: text, count: count, form: .onlyUTC)
    }
    return secondsOfEarlyDate(text, count: count)
  }

  @inline(never)
  private static func secondsOfEarlyDate(
    _ text: UnsafePointer<UInt8>, count: Int
  ) -> Double? {
    // The text of a day of the same month and year that both calendars have, for the other parts.
    guard count >= 20, let year = number(text, 4), let month = number(text + 5, 2),
      let day = number(text + 8, 2)
    else { return nil }
    if (year, month, day) >= (1582, 10, 15) {
      return seconds(of: text, count: count, form: .onlyUTC)
    }
    let lengths = [31, year % 4 == 0 ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...12).contains(month), (1...lengths[month - 1]).contains(day) else { return nil }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { first in
      first.baseAddress!.update(from: text, count: count)
      first[8] = UInt8(ascii: "0")
      first[9] = UInt8(ascii: "1")
      guard
        let seconds = seconds(of: UnsafePointer(first.baseAddress!), count: count, form: .onlyUTC)
      else { return nil }
      // From the first of the month in the Gregorian calendar to that in the Julian one.
      let shifted = month <= 2 ? year - 1 : year
      let centuries = shifted >= 0 ? shifted / 100 - shifted / 400 : 0
      return seconds + Double((centuries - 2 + day - 1) * 86_400)
    }
  }

  private static func number(_ text: UnsafePointer<UInt8>, _ count: Int) -> Int? {
    var number = 0
    for index in 0..<count {
      let digit = text[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      number = number * 10 + Int(digit)
    }
    return number
  }
}
