#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PropertyList.XMLWriter {
  @inline(__always)
  mutating func appendBoolean(_ isTrue: Bool) {
    output.append(isTrue ? "<true/>\n" : "<false/>\n")
  }

  @inline(__always)
  mutating func appendInteger(_ magnitude: UInt64, isNegative: Bool) {
    output.append("<integer>")
    if isNegative { output.append(UInt8(ascii: "-")) }
    appendDigits(magnitude)
    output.append("</integer>\n")
  }

  /// Writes a number in decimal.
  @inline(__always)
  mutating func appendDigits(_ number: UInt64) {
    output.reserve(Digits.longest64)
    output.count &+= Digits.write(number, to: output.base + output.count)
  }

  /// Writes a number as Foundation does: as Swift describes it, and a whole one without ".0".
  mutating func appendReal(_ number: Double) {
    output.append("<real>")
    if number.isNaN {
      output.append("nan")
    } else if number.isInfinite {
      output.append(number < 0 ? "-infinity" : "+infinity")
    } else {
      appendFinite(number)
    }
    output.append("</real>\n")
  }

  @inline(__always)
  private mutating func appendFinite(_ number: Double) {
    if number.sign == .minus { output.append(UInt8(ascii: "-")) }
    if number == 0 { return output.append(UInt8(ascii: "0")) }
    output.reserve(ShortestDecimal.longestText)
    let start = output.base + output.count
    let decimal = ShortestDecimal(number.magnitude)
    // Above 2^53 the description has an exponent.
    let isPlain = number.magnitude <= 0x1p53
    output.count &+= decimal.write(to: start, plainUpTo: isPlain) - start
  }

  /// Writes a date: ISO 8601 in UTC.
  ///
  /// Seconds have a fraction only where the date has one, with the digits that give back the same
  /// number. A date outside the years 0 to 9999, which has no text, is written as its number of
  /// seconds since the reference date.
  ///
  /// - Parameter keepsFraction: Otherwise the date is the whole second before it.
  mutating func appendDate(_ seconds: Double, keepsFraction: Bool) {
    output.append("<date>")
    if ISO8601.hasPropertyListText(secondsSinceReferenceDate: seconds) {
      let whole = seconds.rounded(.down)
      output.reserve(ISO8601.length)
      ISO8601.writePropertyListDate(Int(whole), to: output.base + output.count)
      output.count += ISO8601.length
      if keepsFraction, whole != seconds {
        output.append(".")
        append(ISO8601.fractionDigits(of: seconds))
      }
      output.append("Z")
    } else {
      append(seconds.description)
    }
    output.append("</date>\n")
  }

  private mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { output.append($0) }
  }

  /// Writes bytes as lines of base64.
  ///
  /// A line is as long as Apple's writer makes it: 76 columns, of which a tab takes eight, but no
  /// more than eight tabs count or are written.
  mutating func append(_ data: Data, indent: Int) {
    let tabs = min(indent, 8)
    let bytesPerLine = (76 - 8 * tabs) / 4 * 3
    output.append("<data>\n")
    data.withUnsafeBytes { content in
      var start = 0
      while start < content.count {
        let end = min(start + bytesPerLine, content.count)
        appendIndent(tabs)
        output.reserve(bytesPerLine / 3 * 4)
        let text = output.base + output.count
        output.count +=
          Base64.encode(UnsafeRawBufferPointer(rebasing: content[start..<end]), to: text) - text
        output.append(UInt8(ascii: "\n"))
        start = end
      }
    }
    appendIndent(indent)
    output.append("</data>\n")
  }
}
