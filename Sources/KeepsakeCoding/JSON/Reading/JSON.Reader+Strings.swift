extension JSON {
  /// A string as it stands in the text: checked, but its escapes not yet resolved.
  @usableFromInline struct StringToken {
    /// The first byte after the opening quote.
    @usableFromInline var start: UnsafePointer<UInt8>
    /// The bytes between the quotes.
    @usableFromInline var count: Int
    @usableFromInline var traits: Traits

    @inlinable init(start: UnsafePointer<UInt8>, count: Int, traits: Traits) {
      self.start = start
      self.count = count
      self.traits = traits
    }

    @usableFromInline struct Traits: OptionSet, Sendable {
      @usableFromInline let rawValue: UInt8
      @inlinable init(rawValue: UInt8) { self.rawValue = rawValue }
      /// A byte above 0x7F is in it.
      @inlinable static var isNotASCII: Self { Self(rawValue: 1) }
      /// A backslash is in it.
      @inlinable static var hasEscapes: Self { Self(rawValue: 2) }
    }
  }
}

extension JSON.Reader {
  /// Reads a string.
  ///
  /// - Throws: ``JSON/Fault`` if no string is here, an escape is none of JSON's, half of a surrogate
  ///   pair stands alone, a control character is not escaped, or the bytes are not UTF-8.
  @inlinable public mutating func readString() throws(JSON.Fault) -> String {
    guard try skipWhitespace() == UInt8(ascii: "\"") else { return try readOtherString() }
    let token = try scanString()
    return token.traits.isDisjoint(with: .hasEscapes)
      ? JSON.text(of: token) : JSON.unescapedText(of: token)
  }

  @usableFromInline @inline(never) mutating func readOtherString() throws(JSON.Fault) -> String {
    guard syntax.isJSON5, position.pointee == UInt8(ascii: "'") else {
      throw fault(.expectedString)
    }
    return JSON.unescapedText(of: try scanLongString(from: position + 1))
  }

  /// Passes over a string, whose opening quote the caller has seen, and checks it.
  @inlinable @inline(__always)
  mutating func scanString() throws(JSON.Fault) -> JSON.StringToken {
    let first = position + 1
    // Sixteen bytes at once, without a look at the end: zero bytes follow the text.
    let chunk = Chunk(first)
    let length = chunk.specials.first
    if length < 16, first[length] == UInt8(ascii: "\""), chunk.nonASCII.first >= length {
      position = first + (length &+ 1)
      return JSON.StringToken(start: first, count: length, traits: [])
    }
    return try scanLongString(from: first)
  }

  @usableFromInline @inline(never)
  mutating func scanLongString(from first: UnsafePointer<UInt8>) throws(JSON.Fault)
    -> JSON.StringToken
  {
    var current = first
    var traits: JSON.StringToken.Traits = []
    let quote = first[-1]
    let opening = first - 1 - start
    var plainChunks = 0
    scan: while true {
      // Once some text without escapes has gone by, more of it is looked at together.
      if plainChunks >= 4, quote == UInt8(ascii: "\"") {
        var bytes = SIMD16<UInt8>()
        current = Chunk.skipPlainBlocks(from: current, bytes: &bytes)
        if !Chunk(bytes).nonASCII.isEmpty { traits.insert(.isNotASCII) }
        plainChunks = 0
      }
      let chunk = Chunk(current)
      let length =
        quote == UInt8(ascii: "\"") ? chunk.specials.first : chunk.specials(and: quote).first
      if chunk.nonASCII.first < length { traits.insert(.isNotASCII) }
      current += length
      if length == 16 {
        plainChunks &+= 1
        continue
      }
      plainChunks = 0
      switch current.pointee {
      case quote: break scan
      case UInt8(ascii: "\\"):
        traits.insert(.hasEscapes)
        position = current
        current += try checkEscape()
      case UInt8(ascii: "\""): current += 1  // In single quotes, which JSON5 has.
      default:
        guard current < end else { throw JSON.Fault(.unterminatedString, at: opening) }
        position = current
        // JSON5 refuses line feeds and carriage returns alone.
        guard syntax.isJSON5, current.pointee != 0x0A, current.pointee != 0x0D else {
          throw fault(.controlCharacter)
        }
        current += 1
      }
    }
    if traits.contains(.isNotASCII),
      let invalid = UTF8Check.firstInvalid(from: first, to: current)
    {
      throw JSON.Fault(.invalidUTF8, at: invalid - start)
    }
    position = current + 1
    return JSON.StringToken(start: first, count: current - first, traits: traits)
  }

  /// The length of the escape sequence here, both halves of a surrogate pair together.
  private func checkEscape() throws(JSON.Fault) -> Int {
    switch position[1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return 2
    case UInt8(ascii: "u"):
      guard let unit = JSON.hexadecimal(position + 2, digits: 4) else {
        throw fault(.invalidEscape)
      }
      guard unit & 0xF800 == 0xD800 else { return 6 }
      // The high half first, then at once the low one.
      guard unit < 0xDC00, position[6] == UInt8(ascii: "\\"), position[7] == UInt8(ascii: "u"),
        let low = JSON.hexadecimal(position + 8, digits: 4), low & 0xFC00 == 0xDC00
      else { throw fault(.loneSurrogate) }
      return 12
    default:
      guard syntax.isJSON5, let length = lengthOfJSON5Escape() else { throw fault(.invalidEscape) }
      return length
    }
  }
}

extension JSON {
  /// The number that some hexadecimal digits stand for; `nil` if one of them is none.
  static func hexadecimal(_ bytes: UnsafePointer<UInt8>, digits: Int) -> UInt32? {
    var value: UInt32 = 0
    for index in 0..<digits {
      let digit: UInt8
      switch bytes[index] {
      case let byte where byte &- 0x30 < 10: digit = byte &- 0x30
      case let byte where (byte | 0x20) &- 0x61 < 6: digit = (byte | 0x20) &- 0x61 &+ 10
      default: return nil
      }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  /// The string of a token without escapes.
  @inlinable @inline(__always) static func text(of token: StringToken) -> String {
    String(
      knownUTF8: UnsafeBufferPointer(start: token.start, count: token.count),
      isASCII: token.traits.isDisjoint(with: .isNotASCII))
  }

  /// The string of a token, its escapes resolved.
  @usableFromInline @inline(never) static func unescapedText(of token: StringToken) -> String {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: token.count + 16) { buffer in
      let count = unescape(token, into: buffer.baseAddress.unsafelyUnwrapped)
      return String(
        knownUTF8: UnsafeBufferPointer(start: buffer.baseAddress, count: count), isASCII: false)
    }
  }

  /// Resolves the escapes of a token, which never makes it longer.
  ///
  /// - Parameter output: Room for as many bytes as the token has, and 16 more.
  /// - Returns: The number of bytes written.
  static func unescape(_ token: StringToken, into output: UnsafeMutablePointer<UInt8>) -> Int {
    var source = token.start
    let end = token.start + token.count
    var target = output
    while source < end {
      // Sixteen bytes are copied, of which those before the next escape count.
      let chunk = Chunk(source)
      UnsafeMutableRawPointer(target).storeBytes(of: chunk.bytes, as: SIMD16<UInt8>.self)
      let plain = min(chunk.backslashes.first, end - source)
      source += plain
      target += plain
      guard plain < 16, source < end else { continue }
      var scalar: UInt32
      switch source[1] {
      case UInt8(ascii: "b"): scalar = 0x08
      case UInt8(ascii: "f"): scalar = 0x0C
      case UInt8(ascii: "n"): scalar = 0x0A
      case UInt8(ascii: "r"): scalar = 0x0D
      case UInt8(ascii: "t"): scalar = 0x09
      case UInt8(ascii: "u"):
        scalar = hexadecimal(source + 2, digits: 4).unsafelyUnwrapped
        source += 4
        if scalar & 0xFC00 == 0xD800 {
          let low = hexadecimal(source + 4, digits: 4).unsafelyUnwrapped
          scalar = 0x10000 + (scalar & 0x3FF) << 10 + low & 0x3FF
          source += 6
        }
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scalar = UInt32(source[1])
      default:
        // Only JSON5 has others, and the scan has seen that this is one of them.
        let (length, value) = json5Escape(source + 1)
        source += 1 + length
        if let value { target = append(value, to: target) }
        continue
      }
      source += 2
      target = append(scalar, to: target)
    }
    return target - output
  }

  /// Writes a scalar as UTF-8, and returns the place after it.
  static func append(
    _ scalar: UInt32, to target: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    func tail(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: scalar >> shift) & 0x3F | 0x80 }
    switch scalar {
    case 0..<0x80:
      target[0] = UInt8(truncatingIfNeeded: scalar)
      return target + 1
    case 0x80..<0x800:
      target[0] = UInt8(truncatingIfNeeded: scalar >> 6) | 0xC0
      target[1] = tail(0)
      return target + 2
    case 0x800..<0x10000:
      target[0] = UInt8(truncatingIfNeeded: scalar >> 12) | 0xE0
      target[1] = tail(6)
      target[2] = tail(0)
      return target + 3
    default:
      target[0] = UInt8(truncatingIfNeeded: scalar >> 18) | 0xF0
      target[1] = tail(12)
      target[2] = tail(6)
      target[3] = tail(0)
      return target + 4
    }
  }
}
