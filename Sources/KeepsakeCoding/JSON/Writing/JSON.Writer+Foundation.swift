#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension JSON.Writer {
  // MARK: Dates

  /// How much of a second the text of a date has.
  enum DateFraction {
    case none
    case milliseconds
    /// The fewest digits that restore the date.
    case exact
  }

  /// Writes a date.
  ///
  /// - Returns: The number that the date is, if JSON has no text for it and nothing was written.
  mutating func write(_ date: Date, as form: JSON.DateForm) -> Double? {
    let number: Double
    switch form {
    case .deferredToDate: number = date.timeIntervalSinceReferenceDate
    case .secondsSince1970: number = date.timeIntervalSince1970
    case .millisecondsSince1970: number = 1000 * date.timeIntervalSince1970
    case .iso8601:
      if !write(date, fraction: .none) { write(date.formatted(.iso8601)) }
      return nil
    case .iso8601WithFractionalSeconds:
      if !write(date, fraction: .milliseconds) {
        write(date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
      }
      return nil
    case .iso8601Exact:
      if write(date, fraction: .exact) { return nil }
      number = date.timeIntervalSinceReferenceDate
    }
    guard number.isFinite else { return number }
    writeFinite(number)
    return nil
  }

  /// Writes a date as RFC 3339 text, or returns `false` and writes nothing if it is not in the
  /// years 1583 to 9999, where all calendars agree and years have four digits, or if its fraction has
  /// more than 30 digits.
  mutating func write(_ date: Date, fraction: DateFraction) -> Bool {
    let time = date.timeIntervalSinceReferenceDate
    // 1583-01-01 and 10000-01-01, in seconds since 2001.
    guard time >= -13_190_947_200, time < 252_423_993_600 else { return false }
    let wholeTime = time.rounded(.down)
    let seconds = Int(wholeTime)
    let digits = fraction == .exact ? ISO8601.fractionDigits(of: time) : ""
    guard digits.utf8.count <= 30 else { return false }
    reserve(64)
    next[0] = UInt8(ascii: "\"")
    ISO8601.write(seconds, to: next + 1)
    next += 1 + ISO8601.length
    if !digits.isEmpty {
      next[0] = UInt8(ascii: ".")
      next += 1
      for digit in digits.utf8 {
        next[0] = digit
        next += 1
      }
    }
    if fraction == .milliseconds {
      let milliseconds = UInt32(((time - wholeTime) * 1000).rounded(.down))
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
    next[0] = UInt8(ascii: "\"")
    identifier.write(to: next + 1)
    next[37] = UInt8(ascii: "\"")
    next[38] = UInt8(ascii: ",")
    next += 39
  }

  // MARK: Data

  /// Writes bytes as a string of base64 (RFC 4648, section 4), its slashes as in any string.
  mutating func writeBase64(_ bytes: UnsafeRawBufferPointer) {
    // Eight bytes for three if every digit were an escaped slash.
    reserve((bytes.count + 2) / 3 * 8 + 16)
    next[0] = UInt8(ascii: "\"")
    let start = next + 1
    var output = Base64.encode(bytes, to: start)
    if escapedSlash == UInt8(ascii: "/") {
      output = Self.escapeSlashes(from: start, to: output)
    }
    output[0] = UInt8(ascii: "\"")
    output[1] = UInt8(ascii: ",")
    next = output + 2
  }

  /// Puts a backslash before every slash, and returns where the text ends now.
  private static func escapeSlashes(
    from start: UnsafeMutablePointer<UInt8>, to end: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    let text = UnsafeMutableBufferPointer(start: start, count: end - start)
    var slashes = 0
    for byte in text where byte == UInt8(ascii: "/") { slashes += 1 }
    // From the last byte on, so that none is written over before it is moved.
    var (source, target) = (end, end + slashes)
    while target > source {
      source -= 1
      target -= 1
      target.pointee = source.pointee
      if source.pointee == UInt8(ascii: "/") {
        target -= 1
        target.pointee = UInt8(ascii: "\\")
      }
    }
    return end + slashes
  }
}
