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

  /// Writes a number in decimal, with zeros before it if it has fewer digits than `width`.
  @inline(__always)
  mutating func appendDigits(_ number: UInt64, width: Int = 1) {
    var length = 1
    var rest = number
    while rest >= 10 {
      rest /= 10
      length &+= 1
    }
    length = max(length, width)
    output.reserve(length)
    rest = number
    var offset = output.count &+ length
    while offset > output.count {
      offset &-= 1
      output.base[offset] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    output.count &+= length
  }

  mutating func appendReal(_ number: Double) {
    output.append("<real>")
    if number.isNaN {
      output.append("nan")
    } else if number.isInfinite {
      output.append(number < 0 ? "-infinity" : "+infinity")
    } else if !appendShort(number) {
      append(number.description)
    }
    output.append("</real>\n")
  }

  /// Writes a number that has at most four digits after its point, as most have.
  ///
  /// Two decimals of at most 15 digits are never the same double, so the first that is found to be
  /// the number is the shortest.
  @inline(__always)
  private mutating func appendShort(_ number: Double) -> Bool {
    let magnitude = number.magnitude
    guard magnitude < 1e10, magnitude != 0 else { return false }
    var (scale, places) = (1.0, 0)
    while true {
      let digits = (magnitude * scale).rounded()
      if digits / scale == magnitude, magnitude >= 0.001 {
        if number < 0 { output.append(UInt8(ascii: "-")) }
        let whole = UInt64(digits)
        let divisor = UInt64(scale)
        appendDigits(whole / divisor)
        output.append(UInt8(ascii: "."))
        appendDigits(whole % divisor, width: max(places, 1))
        return true
      }
      if places == 4 { return false }
      places += 1
      scale *= 10
    }
  }

  /// Writes a date: ISO 8601 in UTC.
  ///
  /// Seconds have a fraction only where the date has one, with the digits that give back the same
  /// number. A date outside of the years 1 to 9999, which the format has no place for, is its
  /// number of seconds from the reference date.
  ///
  /// - Parameter keepsFraction: Otherwise the date is the whole second before it.
  mutating func appendDate(_ seconds: Double, keepsFraction: Bool) {
    output.append("<date>")
    if PropertyList.hasText(secondsSinceReferenceDate: seconds) {
      let whole = seconds.rounded(.down)
      let civil = PropertyList.CivilTime(Int(whole))
      appendDigits(UInt64(civil.year), width: 4)
      output.append("-")
      appendDigits(UInt64(civil.month), width: 2)
      output.append("-")
      appendDigits(UInt64(civil.day), width: 2)
      output.append("T")
      appendDigits(UInt64(civil.time / 3_600), width: 2)
      output.append(":")
      appendDigits(UInt64(civil.time / 60 % 60), width: 2)
      output.append(":")
      appendDigits(UInt64(civil.time % 60), width: 2)
      if keepsFraction, whole != seconds {
        output.append(".")
        append(PropertyList.fractionDigits(of: seconds))
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
        Base64.encode(content[start..<end], onto: &output)
        output.append(UInt8(ascii: "\n"))
        start = end
      }
    }
    appendIndent(indent)
    output.append("</data>\n")
  }
}
