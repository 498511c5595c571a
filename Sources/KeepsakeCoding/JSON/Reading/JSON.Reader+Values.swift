/// The values that are no containers, each read whole.
extension JSON.Reader {
  /// Reads a whole number.
  ///
  /// - Throws: ``JSON/Fault`` if no number is here, or it is not whole or does not fit.
  @inlinable @inline(__always)
  public mutating func readInteger<Integer: FixedWidthInteger>(
    as type: Integer.Type = Int.self
  ) throws(JSON.Fault) -> Integer {
    let token = try readNumber()
    guard let value = token.integer(as: type) else { throw outOfRange(token) }
    return value
  }

  /// Reads a number as the double next to it.
  ///
  /// - Throws: ``JSON/Fault`` if no number is here, or it is too large.
  public mutating func readDouble() throws(JSON.Fault) -> Double {
    _ = try skipWhitespace()
    if let value = readPlainDecimal() { return value }
    let token = try readNumber()
    guard let value = token.double else { throw outOfRange(token) }
    return value
  }

  /// Reads a number as the float next to it.
  ///
  /// - Throws: ``JSON/Fault`` if no number is here, or it is too large.
  public mutating func readFloat() throws(JSON.Fault) -> Float {
    let token = try readNumber()
    guard let value = token.float else { throw outOfRange(token) }
    return value
  }

  /// Reads `true` or `false`.
  ///
  /// - Throws: ``JSON/Fault`` if neither is here.
  @inlinable public mutating func readBool() throws(JSON.Fault) -> Bool {
    switch try skipWhitespace() {
    case UInt8(ascii: "t"):
      try skip("true")
      return true
    case UInt8(ascii: "f"):
      try skip("false")
      return false
    default: throw fault(.expectedBoolean)
    }
  }

  /// Reads `null` if it is here.
  ///
  /// - Returns: Whether it was; if not, the value is still to be read.
  /// - Throws: ``JSON/Fault`` if a word begins with an n, but is none of JSON.
  @inlinable @inline(__always)
  public mutating func readNull() throws(JSON.Fault) -> Bool {
    let byte = position.pointee
    if Self.isPlain(byte) && byte != UInt8(ascii: "n") { return false }
    return try readNullAfterWhitespace()
  }

  @usableFromInline @inline(never)
  mutating func readNullAfterWhitespace() throws(JSON.Fault) -> Bool {
    guard try skipWhitespace() == UInt8(ascii: "n") else { return false }
    try skip("null")
    return true
  }

  @inlinable @inline(__always)
  mutating func readNumber() throws(JSON.Fault) -> JSON.NumberToken {
    let byte = try skipWhitespace()
    guard byte == UInt8(ascii: "-") || byte &- 0x30 < 10, !syntax.isJSON5 else {
      return try readUnusualNumber()
    }
    return try scanNumber()
  }

  @usableFromInline @inline(never)
  mutating func readUnusualNumber() throws(JSON.Fault) -> JSON.NumberToken {
    guard syntax.isJSON5 else { throw fault(.expectedNumber) }
    return try scanJSON5Number()
  }

  @usableFromInline @inline(never)
  func outOfRange(_ token: JSON.NumberToken) -> JSON.Fault {
    JSON.Fault(.numberOutOfRange, at: token.start - start)
  }

  /// Passes over one of the three words of JSON, whose first letter the caller has seen.
  @inlinable @inline(__always) mutating func skip(_ word: StaticString) throws(JSON.Fault) {
    for index in 1..<word.utf8CodeUnitCount where position[index] != word.utf8Start[index] {
      throw fault(.expectedValue)
    }
    position += word.utf8CodeUnitCount
  }

  /// Passes over a value of any kind, and checks it all the same.
  ///
  /// - Throws: ``JSON/Fault`` if the value is not valid.
  @inline(never) public mutating func skipValue() throws(JSON.Fault) {
    switch try skipWhitespace() {
    case UInt8(ascii: "\""): _ = try scanString()
    case UInt8(ascii: "{"):
      try beginObject()
      var isFirst = true
      while try nextKey(&isFirst) != nil { try skipValue() }
    case UInt8(ascii: "["):
      try beginArray()
      var isFirst = true
      while try nextElement(&isFirst) { try skipValue() }
    case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = try readBool()
    case UInt8(ascii: "n"): _ = try readNull()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): _ = try readNumber()
    case UInt8(ascii: "'") where syntax.isJSON5: _ = try readOtherString()
    default:
      guard syntax.isJSON5 else { throw fault(.expectedValue) }
      _ = try readUnusualNumber()
    }
  }
}
