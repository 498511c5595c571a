#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension JSON.Writer {
  // MARK: Dates

  /// Writes a date as RFC 3339 text, or returns `false` and writes nothing if it is not in the
  /// years 1583 to 9999, where all calendars agree and years have four digits.
  ///
  /// The date of a day: Hinnant, *chrono-Compatible Low-Level Date Algorithms*, 2021.
  mutating func write(_ date: Date, hasFraction: Bool) -> Bool {
    let time = date.timeIntervalSinceReferenceDate
    // 1583-01-01 and 10000-01-01, in seconds since 2001.
    guard time >= -13_190_947_200, time < 252_423_993_600 else { return false }
    let wholeTime = time.rounded(.down)
    let seconds = Int(wholeTime)
    let milliseconds = UInt32(((time - wholeTime) * 1000).rounded(.down))
    // 2001-01-01 is 11,323 days after 1970-01-01, and 730,791 after 0000-03-01.
    let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    let second = UInt32(truncatingIfNeeded: seconds - days * 86_400)
    let day = UInt32(truncatingIfNeeded: days + 730_791)
    let era = day / 146_097
    let dayOfEra = day - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let dayOfMonth = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)

    reserve(32)
    next[0] = UInt8(ascii: "\"")
    Digits.writePair(year / 100, to: next + 1)
    Digits.writePair(year % 100, to: next + 3)
    next[5] = UInt8(ascii: "-")
    Digits.writePair(month, to: next + 6)
    next[8] = UInt8(ascii: "-")
    Digits.writePair(dayOfMonth, to: next + 9)
    next[11] = UInt8(ascii: "T")
    Digits.writePair(second / 3600, to: next + 12)
    next[14] = UInt8(ascii: ":")
    Digits.writePair(second / 60 % 60, to: next + 15)
    next[17] = UInt8(ascii: ":")
    Digits.writePair(second % 60, to: next + 18)
    next += 20
    if hasFraction {
      next[0] = UInt8(ascii: ".")
      next[1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: milliseconds / 100)
      Digits.writePair(milliseconds % 100, to: next + 2)
      next += 4
    }
    next[0] = UInt8(ascii: "Z")
    next[1] = UInt8(ascii: "\"")
    next[2] = UInt8(ascii: ",")
    next += 3
    return true
  }

  // MARK: UUIDs

  /// Writes a UUID as text in capitals (RFC 9562, section 4).
  mutating func write(_ identifier: UUID) {
    reserve(40)
    let digits: StaticString = "0123456789ABCDEF"
    var output = next
    output[0] = UInt8(ascii: "\"")
    output += 1
    withUnsafeBytes(of: identifier.uuid) { bytes in
      for index in 0..<16 {
        if index == 4 || index == 6 || index == 8 || index == 10 {
          output[0] = UInt8(ascii: "-")
          output += 1
        }
        output[0] = digits.utf8Start[Int(bytes[index] &>> 4)]
        output[1] = digits.utf8Start[Int(bytes[index] & 0xF)]
        output += 2
      }
    }
    output[0] = UInt8(ascii: "\"")
    output[1] = UInt8(ascii: ",")
    next = output + 2
  }

  // MARK: Data

  /// Writes bytes as a string of base64 (RFC 4648, section 4), its slashes as in any string.
  mutating func writeBase64(_ bytes: UnsafeRawBufferPointer) {
    let alphabet: StaticString =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    let digits = alphabet.utf8Start
    let escapesSlashes = escapedSlash == UInt8(ascii: "/")
    // Eight bytes for three if every digit were an escaped slash.
    reserve((bytes.count + 2) / 3 * 8 + 16)
    var output = next
    output[0] = UInt8(ascii: "\"")
    output += 1
    @inline(__always)
    func append(_ digit: UInt32) {
      if digit == 63, escapesSlashes {
        output[0] = UInt8(ascii: "\\")
        output += 1
      }
      output[0] = digits[Int(digit)]
      output += 1
    }
    var index = 0
    while index + 3 <= bytes.count {
      let group =
        UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2])
      append(group >> 18)
      append(group >> 12 & 63)
      append(group >> 6 & 63)
      append(group & 63)
      index += 3
    }
    let left = bytes.count - index
    if left > 0 {
      let group = UInt32(bytes[index]) << 16 | (left > 1 ? UInt32(bytes[index + 1]) << 8 : 0)
      append(group >> 18)
      append(group >> 12 & 63)
      if left > 1 { append(group >> 6 & 63) }
      for _ in left..<3 {
        output[0] = UInt8(ascii: "=")
        output += 1
      }
    }
    output[0] = UInt8(ascii: "\"")
    output[1] = UInt8(ascii: ",")
    next = output + 2
  }
}
