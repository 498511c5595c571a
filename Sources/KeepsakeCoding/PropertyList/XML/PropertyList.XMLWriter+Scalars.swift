#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PropertyList.XMLWriter {
  @inline(__always)
  mutating func appendInteger(_ indent: Int, _ magnitude: UInt64, isNegative: Bool) {
    appendLine(indent, "<integer>", upTo: Digits.longest64 + 1, "</integer>\n") { text in
      text[0] = UInt8(ascii: "-")
      let digits = isNegative ? text + 1 : text
      return digits + Digits.write(magnitude, to: digits)
    }
  }

  /// Writes a number as Foundation does: as Swift describes it, and a whole one without ".0".
  @inline(__always)
  mutating func appendReal(_ indent: Int, _ number: Double) {
    if number.isFinite {
      appendLine(indent, "<real>", upTo: ShortestDecimal.longestText + 1, "</real>\n") {
        Self.write(finite: number, to: $0)
      }
    } else if number.isNaN {
      appendLine(indent, "<real>nan</real>\n")
    } else {
      appendLine(indent, number < 0 ? "<real>-infinity</real>\n" : "<real>+infinity</real>\n")
    }
  }

  @inline(__always)
  private static func write(
    finite number: Double, to text: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    text[0] = UInt8(ascii: "-")
    let digits = number.sign == .minus ? text + 1 : text
    if number == 0 {
      digits[0] = UInt8(ascii: "0")
      return digits + 1
    }
    // Above 2^53 the description has an exponent.
    return ShortestDecimal(number.magnitude).write(
      to: digits, plainUpTo: number.magnitude <= 0x1p53)
  }

  /// Writes a date: ISO 8601 in UTC.
  ///
  /// Seconds have a fraction only where the date has one, with the digits from which the same
  /// number is read. A date outside the years 0 to 9999, which has no text, is written as its number of
  /// seconds since the reference date.
  ///
  /// - Parameter keepsFraction: Otherwise the date is the whole second before it.
  mutating func appendDate(_ indent: Int, _ seconds: Double, keepsFraction: Bool) {
    guard ISO8601.hasPropertyListText(secondsSinceReferenceDate: seconds) else {
      return appendLine(indent, "<date>", text: seconds.description, "</date>\n")
    }
    let whole = seconds.rounded(.down)
    let hasFraction = keepsFraction && whole != seconds
    appendLine(indent, "<date>", upTo: ISO8601.length, hasFraction ? "" : "Z</date>\n") {
      ISO8601.writePropertyListDate(Int(whole), to: $0)
      return $0 + ISO8601.length
    }
    if hasFraction {
      appendLine(0, ".", text: ISO8601.fractionDigits(of: seconds), "Z</date>\n")
    }
  }

  /// Writes bytes as lines of base64.
  ///
  /// A line is as long as Apple's writer makes it: 76 columns, of which a tab takes eight, but no
  /// more than eight tabs count or are written.
  mutating func append(_ data: Data, indent: Int) {
    let tabs = min(indent, 8)
    let bytesPerLine = (76 - 8 * tabs) / 4 * 3
    appendLine(indent, "<data>\n")
    data.withUnsafeBytes { content in
      var start = 0
      while start < content.count {
        let end = min(start + bytesPerLine, content.count)
        appendIndent(tabs)
        output.reserve(bytesPerLine / 3 * 4)
        output.next = Base64.encode(
          UnsafeRawBufferPointer(rebasing: content[start..<end]), to: output.next)
        output.append(UInt8(ascii: "\n"))
        start = end
      }
    }
    appendLine(indent, "</data>\n")
  }
}
