extension Tape {
  /// Appends the value that a reader is at, whole.
  ///
  /// It keeps no stack: while an object or array is open, the word of its end holds the index of
  /// the one around it, and how many values that one had.
  mutating func append(
    from reader: inout JSON.Reader, duplicates: JSON.DuplicateKeyPolicy
  ) throws(JSON.Fault) {
    var container = -1
    var isObject = false
    var count: UInt64 = 0
    var byte = try reader.skipWhitespace()
    if reader.syntax.contains(.topLevelObjectWithoutBraces), byte != UInt8(ascii: "{") {
      return try appendObjectWithoutBraces(from: &reader, duplicates: duplicates)
    }
    value: while true {
      reserve()
      switch byte {
      case UInt8(ascii: "\""):
        try appendString(from: &reader)
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        let offset = reader.offset
        try reader.open()
        let isOuterObject = isObject
        isObject = byte == UInt8(ascii: "{")
        let opened = self.count
        append(Self.word(isObject ? .object : .array, offset: offset))
        // The parent's index has one added, for there is none at the top; the kind of the parent
        // is in the lowest bit of its count.
        append(UInt64(container + 1) &<< 32 | count &<< 1 | (isOuterObject ? 1 : 0))
        if isObject {
          append(0)
          append(0)
        }
        container = opened
        count = 0
        byte = try reader.skipWhitespace()
        if byte != (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
          if isObject { byte = try appendKey(byte, from: &reader) }
          continue value
        }
        reader.close()
        (container, isObject, count) = close(container, isObject, count)
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        append(
          reader.syntax.isJSON5 ? try reader.scanJSON5Number() : try reader.scanNumber())
      case UInt8(ascii: "t"):
        let offset = reader.offset
        try reader.skip("true")
        append(Self.word(.true, offset: offset))
      case UInt8(ascii: "f"):
        let offset = reader.offset
        try reader.skip("false")
        append(Self.word(.false, offset: offset))
      case UInt8(ascii: "n"):
        let offset = reader.offset
        try reader.skip("null")
        append(Self.word(.null, offset: offset))
      default:
        guard reader.syntax.isJSON5 else { throw reader.fault(.expectedValue) }
        try appendJSON5Value(byte, from: &reader)
      }
      while true {
        guard container >= 0 else { return }
        count &+= 1
        byte = try reader.skipWhitespace()
        let closing = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
        if byte == UInt8(ascii: ",") {
          reader.position += 1
          byte = try reader.skipWhitespace()
          if byte != closing || !reader.syntax.contains(.trailingCommas) {
            if isObject { byte = try appendKey(byte, from: &reader) }
            continue value
          }
        }
        guard byte == closing else {
          throw reader.fault(isObject ? .expectedCommaOrBrace : .expectedCommaOrBracket)
        }
        reader.close()
        let (closed, isClosedObject) = (container, isObject)
        (container, isObject, count) = close(container, isObject, count)
        if isClosedObject, duplicates != .first { try settleDuplicates(of: closed, duplicates) }
      }
    }
  }

  /// Ends an object or array, and goes back to the one around it.
  @inline(__always)
  private mutating func close(
    _ container: Int, _ isObject: Bool, _ count: UInt64
  ) -> (container: Int, isObject: Bool, count: UInt64) {
    let outer = words[container &+ 1]
    words[container &+ 1] = UInt64(self.count) &<< 32 | count
    if isObject { resetCursor(container) }
    return (
      Int(truncatingIfNeeded: outer &>> 32) &- 1, outer & 1 != 0, (outer & 0xFFFF_FFFF) &>> 1
    )
  }

  /// Appends the key that begins with a byte.
  ///
  /// - Returns: The first byte of its value.
  @inline(__always)
  private mutating func appendKey(
    _ byte: UInt8, from reader: inout JSON.Reader
  ) throws(JSON.Fault) -> UInt8 {
    reserve()
    if byte == UInt8(ascii: "\"") {
      try appendString(from: &reader)
    } else {
      // A name of JSON5 needs no quotes.
      let offset = reader.offset + (byte == UInt8(ascii: "'") ? 1 : 0)
      append(try reader.scanUnusualKey(into: &heap), at: offset)
    }
    guard try reader.skipWhitespace() == UInt8(ascii: ":") else {
      throw reader.fault(.expectedColon)
    }
    reader.position += 1
    return try reader.skipWhitespace()
  }

  @inline(__always) private mutating func append(_ token: JSON.NumberToken) {
    append(
      Self.word(
        .number, traits: token.traits.rawValue,
        middle: UInt64(bitPattern: Int64(token.exponent)) & 0xFF_FFFF,
        offset: bytes.distance(to: token.start)))
    append(token.mantissa)
  }

  private mutating func appendJSON5Value(
    _ byte: UInt8, from reader: inout JSON.Reader
  ) throws(JSON.Fault) {
    switch byte {
    case UInt8(ascii: "'"):
      let offset = reader.offset + 1
      append(try reader.scanLongString(into: &heap), at: offset)
    case UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "I"), UInt8(ascii: "N"):
      append(try reader.scanJSON5Number())
    default: throw reader.fault(.expectedValue)
    }
  }

  /// Appends an object whose braces are left out, to the end of the text.
  private mutating func appendObjectWithoutBraces(
    from reader: inout JSON.Reader, duplicates: JSON.DuplicateKeyPolicy
  ) throws(JSON.Fault) {
    let syntax = reader.syntax.subtracting(.topLevelObjectWithoutBraces)
    reserve()
    append(Self.word(.object, offset: 0))
    for _ in 1..<Self.objectHeader { append(0) }
    var count: UInt64 = 0
    var byte = try reader.skipWhitespace()
    while reader.position < reader.end {
      byte = try appendKey(byte, from: &reader)
      var inner = JSON.Reader(input, syntax: syntax, maximumDepth: reader.depthLeft - 1)
      inner.position = reader.position
      try append(from: &inner, duplicates: duplicates)
      reader.position = inner.position
      count += 1
      byte = try reader.skipWhitespace()
      if byte == UInt8(ascii: ",") {
        reader.position += 1
        byte = try reader.skipWhitespace()
        if reader.position >= reader.end, !syntax.contains(.trailingCommas) {
          throw reader.fault(.expectedKey)
        }
      } else if reader.position < reader.end {
        throw reader.fault(.trailingData)
      }
    }
    _ = close(0, true, count)
    if duplicates != .first { try settleDuplicates(of: 0, duplicates) }
  }

  /// Lets the last of equal keys count, or refuses the text.
  private mutating func settleDuplicates(
    of object: Int, _ policy: JSON.DuplicateKeyPolicy
  ) throws(JSON.Fault) {
    if policy == .last { return supersedeEqualKeys(of: object) }
    if let key = firstEqualKey(of: object) {
      throw JSON.Fault(.duplicateKey, at: offset(key) - 1)
    }
  }
}
