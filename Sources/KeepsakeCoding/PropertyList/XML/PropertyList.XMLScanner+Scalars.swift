#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PropertyList.XMLScanner {
  /// Reads text that holds no markup, and returns its range.
  ///
  /// - Parameter skipsWhitespace: Whether whitespace before the text is not part of it.
  @inline(__always)
  private mutating func readPlainText(
    _ tag: Tag, skipsWhitespace: Bool = true
  ) throws(Fault) -> Range<Int> {
    guard tag.form == .open else { throw fault("<\(tag.element)> is empty", at: tag.offset) }
    if skipsWhitespace { skipWhitespace() }
    let start = position
    let end = endOfText(from: start).end
    guard end < count, base[end] == UInt8(ascii: "<") else {
      position = end
      throw fault("\(currentDescription) inside of <\(tag.element)>")
    }
    position = end
    try readEnd(of: tag.element)
    return start..<end
  }

  /// Reads a whole number: decimal or, after "0x", hexadecimal, with or without a sign.
  ///
  /// - Returns: The kind of its row, and its bits.
  mutating func readInteger(_ tag: Tag) throws(Fault) -> (kind: Tape.Kind, bits: UInt64) {
    let range = try readPlainText(tag)
    var offset = range.lowerBound
    var isNegative = false
    if offset < range.upperBound,
      base[offset] == UInt8(ascii: "-") || base[offset] == UInt8(ascii: "+")
    {
      isNegative = base[offset] == UInt8(ascii: "-")
      offset += 1
    }
    let isHex =
      range.upperBound - offset > 2 && base[offset] == UInt8(ascii: "0")
      && base[offset + 1] | 0x20 == UInt8(ascii: "x")
    if isHex { offset += 2 }
    let radix: UInt64 = isHex ? 16 : 10
    guard offset < range.upperBound else { throw invalidNumber(range, "whole number") }
    var magnitude: UInt64 = 0
    while offset < range.upperBound {
      var digit = UInt64(base[offset] &- UInt8(ascii: "0"))
      if digit > 9 { digit = UInt64((base[offset] | 0x20) &- UInt8(ascii: "a")) + 10 }
      guard digit < radix, base[offset] < 0x80 else { throw invalidNumber(range, "whole number") }
      let (product, isTooLarge) = magnitude.multipliedReportingOverflow(by: radix)
      let (sum, isStillTooLarge) = product.addingReportingOverflow(digit)
      guard !isTooLarge, !isStillTooLarge else { throw tooLarge(range) }
      magnitude = sum
      offset += 1
    }
    if !isNegative {
      return (magnitude > UInt64(Int64.max) ? .unsigned : .integer, magnitude)
    }
    guard magnitude <= Int64.min.magnitude else { throw tooLarge(range) }
    return (.integer, 0 &- magnitude)
  }

  /// Reads a number.
  mutating func readReal(_ tag: Tag) throws(Fault) -> Double {
    let range = try readPlainText(tag)
    let text = try string(range)
    switch text.lowercased() {
    case "nan": return .nan
    case "inf", "+inf", "infinity", "+infinity": return .infinity
    case "-inf", "-infinity": return -.infinity
    default: break
    }
    // Double's own initializer would also take hexadecimal and "nan(…)".
    let isDecimal = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "+"), UInt8(ascii: "e"), UInt8(ascii: "E"):
        true
      default: false
      }
    }
    guard isDecimal, let number = Double(text) else { throw invalidNumber(range, "number") }
    guard number.isFinite else { throw tooLarge(range) }
    return number
  }

  /// Reads a date, in seconds since the reference date.
  mutating func readDate(_ tag: Tag) throws(Fault) -> Double {
    let range = try readPlainText(tag, skipsWhitespace: false)
    if let seconds = ISO8601.secondsOfPropertyListDate(
      base + range.lowerBound, count: range.count)
    {
      return seconds
    }
    // The writer's form for what has no other. Digits alone would be a mistyped date.
    let text = try string(range)
    guard let seconds = Double(text), "\(seconds)" == text else {
      throw fault(
        "\"\(text)\" is not a date; one is written 2026-11-21T01:02:03Z", at: range.lowerBound)
    }
    return seconds
  }

  @inline(never)
  private func invalidNumber(_ range: Range<Int>, _ kind: String) -> Fault {
    fault("\"\(excerpt(range))\" is not a \(kind)", at: range.lowerBound)
  }

  @inline(never)
  private func tooLarge(_ range: Range<Int>) -> Fault {
    fault("\(excerpt(range)) is out of range", at: range.lowerBound)
  }

  private func excerpt(_ range: Range<Int>) -> String {
    String(
      decoding: UnsafeBufferPointer(start: base + range.lowerBound, count: min(range.count, 40)),
      as: UTF8.self)
  }

  /// Reads text in base64 (RFC 4648), which is decoded later, and returns its range.
  mutating func readData(_ tag: Tag) throws(Fault) -> Range<Int> {
    tag.form == .empty ? position..<position : try readPlainText(tag, skipsWhitespace: false)
  }

  /// Reads what is between `<true>` and `</true>`, which is nothing.
  mutating func readBoolean(_ tag: Tag) throws(Fault) {
    guard tag.form == .open else { return }
    guard position < count, base[position] == UInt8(ascii: "<") else {
      throw fault("\(currentDescription) inside of <\(tag.element)>")
    }
    try readEnd(of: tag.element)
  }
}
