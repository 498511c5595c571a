extension PropertyList.OpenStepReader {
  /// Reads a string that is not a key.
  mutating func readStringValue() throws(Fault) {
    let row = tape.count
    try readString()
    tape.recognizeNull(row)
  }

  /// Reads a string, with quotes or without.
  mutating func readString() throws(Fault) {
    guard position < count else { throw fault("the file ends where a string must be") }
    let quote = base[position]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      let start = position
      while position < count, Self.isPlain(base[position]) { position += 1 }
      guard position > start else { throw fault("\(currentDescription) where a value must be") }
      return tape.appendText(at: start, count: position - start, isASCII: true)
    }
    let start = position + 1
    var end = start
    while end < count, base[end] != quote, base[end] != UInt8(ascii: "\\") { end += 1 }
    guard end < count else { throw fault("a string without its closing quote") }
    if base[end] == UInt8(ascii: "\\") { return try readEscapedString(quote) }
    let text = UnsafeBufferPointer(start: base + start, count: end - start)
    tape.appendText(at: start, count: text.count, isASCII: text.isASCII)
    position = end + 1
  }

  /// What a string without quotes is made of.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"),
      UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  private mutating func readEscapedString(_ quote: UInt8) throws(Fault) {
    let start = position
    var units: [UInt16] = []
    position += 1
    while position < count, base[position] != quote {
      if base[position] == UInt8(ascii: "\\") {
        position += 1
        guard position < count else { break }
        if let unit = readEscape() { units.append(unit) }
        continue
      }
      let plain = position
      while position < count, base[position] != quote, base[position] != UInt8(ascii: "\\") {
        position += 1
      }
      let text = UnsafeBufferPointer(start: base + plain, count: position - plain)
      units.append(contentsOf: String(knownUTF8: text, isASCII: text.isASCII).utf16)
    }
    guard position < count else {
      throw fault("a string without its closing quote", at: start)
    }
    position += 1
    tape.appendText(String(decoding: units, as: UTF16.self), at: start)
  }

  /// Reads what follows a backslash: a letter, three octal digits of a character of NeXTSTEP's,
  /// or `U` and four hexadecimal digits of a unit of UTF-16.
  ///
  /// - Returns: `nil` if what follows stands for itself and has not been read.
  private mutating func readEscape() -> UInt16? {
    let byte = base[position]
    position += 1
    switch byte {
    case UInt8(ascii: "a"): return 0x07
    case UInt8(ascii: "b"): return 0x08
    case UInt8(ascii: "t"): return 0x09
    case UInt8(ascii: "n"): return 0x0A
    case UInt8(ascii: "v"): return 0x0B
    case UInt8(ascii: "f"): return 0x0C
    case UInt8(ascii: "r"): return 0x0D
    case UInt8(ascii: "U"), UInt8(ascii: "u"):
      return UInt16(truncatingIfNeeded: readDigits(radix: 16, limit: 4))
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      position -= 1
      let code = UInt8(truncatingIfNeeded: readDigits(radix: 8, limit: 3))
      return code < 0x80 ? UInt16(code) : Self.nextStep[Int(code) - 0x80]
    case 0x80...:
      // A character that needs no backslash, and is read without it.
      position -= 1
      return nil
    default: return UInt16(byte)
    }
  }

  private mutating func readDigits(radix: Int, limit: Int) -> Int {
    var number = 0
    var left = limit
    while left > 0, position < count,
      let digit = Character(Unicode.Scalar(base[position])).hexDigitValue, digit < radix
    {
      number = number * radix + digit
      position += 1
      left -= 1
    }
    return number
  }

  /// Reads data in hexadecimal, whitespace anywhere between bytes.
  mutating func readData() throws(Fault) {
    let start = position
    position += 1
    var bytes: [UInt8] = []
    var high: UInt8?
    while position < count, base[position] != UInt8(ascii: ">") {
      let byte = base[position]
      if let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 {
        if let first = high {
          bytes.append(first << 4 | UInt8(digit))
          high = nil
        } else {
          high = UInt8(digit)
        }
      } else if !PropertyList.XMLScanner.isWhitespace(byte) || high != nil {
        throw fault("\(currentDescription) inside of data")
      }
      position += 1
    }
    guard position < count else { throw fault("data without its end \">\"", at: start) }
    guard high == nil else { throw fault("half a byte at the end of data") }
    position += 1
    bytes.withUnsafeBytes { tape.appendData($0, at: start) }
  }

  /// What NeXTSTEP's characters from 0x80 on are in Unicode
  /// (<https://www.unicode.org/Public/MAPPINGS/VENDORS/NEXT/NEXTSTEP.TXT>).
  private static let nextStep: [UInt16] = [
    0x00A0, 0x00C0, 0x00C1, 0x00C2, 0x00C3, 0x00C4, 0x00C5, 0x00C7, 0x00C8, 0x00C9, 0x00CA, 0x00CB,
    0x00CC, 0x00CD, 0x00CE, 0x00CF, 0x00D0, 0x00D1, 0x00D2, 0x00D3, 0x00D4, 0x00D5, 0x00D6, 0x00D9,
    0x00DA, 0x00DB, 0x00DC, 0x00DD, 0x00DE, 0x00B5, 0x00D7, 0x00F7, 0x00A9, 0x00A1, 0x00A2, 0x00A3,
    0x2044, 0x00A5, 0x0192, 0x00A7, 0x00A4, 0x2019, 0x201C, 0x00AB, 0x2039, 0x203A, 0xFB01, 0xFB02,
    0x00AE, 0x2013, 0x2020, 0x2021, 0x00B7, 0x00A6, 0x00B6, 0x2022, 0x201A, 0x201E, 0x201D, 0x00BB,
    0x2026, 0x2030, 0x00AC, 0x00BF, 0x00B9, 0x02CB, 0x00B4, 0x02C6, 0x02DC, 0x00AF, 0x02D8, 0x02D9,
    0x00A8, 0x00B2, 0x02DA, 0x00B8, 0x00B3, 0x02DD, 0x02DB, 0x02C7, 0x2014, 0x00B1, 0x00BC, 0x00BD,
    0x00BE, 0x00E0, 0x00E1, 0x00E2, 0x00E3, 0x00E4, 0x00E5, 0x00E7, 0x00E8, 0x00E9, 0x00EA, 0x00EB,
    0x00EC, 0x00C6, 0x00ED, 0x00AA, 0x00EE, 0x00EF, 0x00F0, 0x00F1, 0x0141, 0x00D8, 0x0152, 0x00BA,
    0x00F2, 0x00F3, 0x00F4, 0x00F5, 0x00F6, 0x00E6, 0x00F9, 0x00FA, 0x00FB, 0x0131, 0x00FC, 0x00FD,
    0x0142, 0x00F8, 0x0153, 0x00DF, 0x00FE, 0x00FF, 0xFFFD, 0xFFFD,
  ]
}
