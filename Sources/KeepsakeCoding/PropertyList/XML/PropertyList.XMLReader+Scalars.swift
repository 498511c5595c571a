#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PropertyList.XMLReader {
  /// Reads a value that is no container, its first tag having been read.
  mutating func readScalar(_ tag: Tag) throws(Fault) -> Value {
    switch tag.element {
    case .string:
      return .string(try readText(tag))
    case .true, .false:
      if tag.form == .open {
        guard position < count, base[position] == UInt8(ascii: "<") else {
          throw fault("\(currentDescription) inside of <\(tag.element)>")
        }
        try readEnd(of: tag.element)
      }
      return .boolean(tag.element == .true)
    case .dict:
      return .dictionary([:])
    case .array:
      return .array([])
    case .integer:
      return try readInteger(try readPlainText(tag))
    case .real:
      return .real(try readReal(try readPlainText(tag)))
    case .date:
      return .date(
        Date(
          timeIntervalSinceReferenceDate: try readDate(
            try readPlainText(tag, skipsWhitespace: false))))
    case .data:
      return .data(try readData(tag))
    case .key, .plist:
      throw fault("<\(tag.element)> where a value must be", at: tag.offset)
    }
  }

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
    let end = endOfPlainText(from: start)
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
  /// Mutating although it changes nothing: for another kind of call the reader would be copied.
  private mutating func readInteger(_ range: Range<Int>) throws(Fault) -> Value {
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
      return magnitude > UInt64(Int64.max) ? .unsigned(magnitude) : .integer(Int64(magnitude))
    }
    guard magnitude <= Int64.min.magnitude else { throw tooLarge(range) }
    return .integer(Int64(truncatingIfNeeded: 0 &- magnitude))
  }

  private mutating func readReal(_ range: Range<Int>) throws(Fault) -> Double {
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

  private mutating func readDate(_ range: Range<Int>) throws(Fault) -> Double {
    if let seconds = ISO8601.secondsOfPropertyListDate(
      base + range.lowerBound, count: range.count)
    {
      return seconds
    }
    // The writer's form for what has no other. Digits alone would be a mistyped date.
    let text = try string(range)
    guard let seconds = Double(text), "\(seconds)" == text else {
      throw fault(
        "\"\(text)\" is no date; one is written 2026-11-21T01:02:03Z", at: range.lowerBound)
    }
    return seconds
  }

  @inline(never)
  private func invalidNumber(_ range: Range<Int>, _ kind: String) -> Fault {
    fault("\"\(excerpt(range))\" is no \(kind)", at: range.lowerBound)
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

  /// Reads base64 (RFC 4648), whitespace anywhere in it.
  private mutating func readData(_ tag: Tag) throws(Fault) -> Data {
    if tag.form == .empty { return Data() }
    let start = position
    let end = endOfPlainText(from: start)
    guard end < count, base[end] == UInt8(ascii: "<") else {
      position = end
      throw fault("\(currentDescription) inside of <data>")
    }
    let text = UnsafeBufferPointer(start: base + start, count: end - start)
    let data: Data
    do throws(Base64.InvalidByte) {
      data = try Base64.data(text, allowsWhitespace: true)
    } catch {
      throw fault(Base64.InvalidByte.message, at: start + error.offset)
    }
    position = end
    try readEnd(of: .data)
    return data
  }
}
