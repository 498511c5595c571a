extension JSON {
  /// The text of a string, which was checked.
  @usableFromInline struct StringToken {
    /// The first byte: after the opening quote or, if there were escapes, in a heap.
    @usableFromInline var start: UnsafePointer<UInt8>
    /// The number of bytes.
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
      /// There were escapes: the text is the last one of a heap, until there is another one.
      @inlinable static var isInHeap: Self { Self(rawValue: 4) }
    }
  }
}

extension JSON.Reader {
  // Not inlined: it is as fast, and a type of ten strings compiles in half the time.
  /// Reads a string.
  ///
  /// - Throws: ``JSON/Fault`` if no string is here, an escape is none of JSON's, half of a surrogate
  ///   pair stands alone, a control character is not escaped, or the bytes are not UTF-8.
  @inline(never) public mutating func readString() throws(JSON.Fault) -> String {
    guard try skipWhitespace() == UInt8(ascii: "\"") else { return try readOtherString() }
    if let token = scanShortString() { return JSON.shortText(at: token.start, token.count) }
    return JSON.text(of: try scanLongString())
  }

  /// Reads a string of an array, whose strings are often of one length.
  @inline(__always) mutating func readStringOfArray() throws(JSON.Fault) -> String {
    guard try skipWhitespace() == UInt8(ascii: "\"") else { return try readOtherString() }
    return JSON.text(of: try scanString())
  }

  @inline(never) mutating func readOtherString() throws(JSON.Fault) -> String {
    guard syntax.isJSON5, position.pointee == UInt8(ascii: "'") else {
      throw fault(.expectedString)
    }
    return JSON.text(of: try scanLongString())
  }

  /// Reads a string, whose opening quote the caller has seen.
  ///
  /// - Returns: Text that is valid until the reader goes on.
  @inlinable @inline(__always)
  mutating func scanString() throws(JSON.Fault) -> JSON.StringToken {
    if let token = scanShortString() { return token }
    return try scanLongString()
  }

  /// Reads a string, whose opening quote the caller has seen.
  ///
  /// - Parameter heap: Gets the text if there are escapes in it.
  @inline(__always)
  mutating func scanString(
    into heap: inout TextHeap
  ) throws(JSON.Fault) -> JSON.StringToken {
    if let token = scanShortString() { return token }
    return try scanLongString(into: &heap)
  }

  /// Reads a string of less than sixteen bytes of ASCII without escapes, if one is here.
  @inlinable @inline(__always)
  mutating func scanShortString() -> JSON.StringToken? {
    let first = position + 1
    // Sixteen bytes at once, without a look at the end: zero bytes follow the text.
    let chunk = Chunk(first)
    let length = chunk.specials.first
    guard length < 16, first[length] == UInt8(ascii: "\"") else { return nil }
    position = first + (length &+ 1)
    return JSON.StringToken(start: first, count: length, traits: [])
  }

  /// Reads a string in quotes of either kind, which the caller has seen.
  @usableFromInline @inline(never)
  mutating func scanLongString() throws(JSON.Fault) -> JSON.StringToken {
    let plain = try scanPlainText()
    if takeClosingQuote(of: plain) { return plain }
    return try withScratch { reader, heap throws(JSON.Fault) in
      try reader.resolveString(after: plain, into: &heap)
    }
  }

  /// Calls a function with a heap for text that is only used until the reader goes on.
  mutating func withScratch(
    _ body: (inout JSON.Reader, inout TextHeap) throws(JSON.Fault) -> JSON.StringToken
  ) throws(JSON.Fault) -> JSON.StringToken {
    var heap = TextHeap()
    swap(&heap, &scratch)
    defer { swap(&heap, &scratch) }
    heap.removeAll()
    return try body(&self, &heap)
  }

  @inline(never)
  mutating func scanLongString(
    into heap: inout TextHeap
  ) throws(JSON.Fault) -> JSON.StringToken {
    let plain = try scanPlainText()
    if takeClosingQuote(of: plain) { return plain }
    // Where there is one escape, there will be more.
    heap.reserve(min(end - plain.start, BufferPool.largestKept - Self.scratchLength))
    return try resolveString(after: plain, into: &heap)
  }

  /// Goes on behind a string that ends where its text without escapes does.
  @inline(__always)
  private mutating func takeClosingQuote(of plain: JSON.StringToken) -> Bool {
    let end = plain.start + plain.count
    guard end.pointee != UInt8(ascii: "\\") else { return false }
    position = end + 1
    return true
  }

  /// Looks at a string up to its closing quote or its first escape.
  @inline(__always)
  private mutating func scanPlainText() throws(JSON.Fault) -> JSON.StringToken {
    let first = position + 1
    var current = first
    var isASCII = true
    let quote = position.pointee
    var plainChunks = 0
    scan: while true {
      // Once some text without escapes has gone by, more of it is looked at together.
      if plainChunks >= 4, quote == UInt8(ascii: "\"") {
        current = Chunk.skipPlainBlocks(from: current)
        plainChunks = 0
      }
      let specials = Chunk(current).specials(and: quote)
      // Sixteen is not worked out: the processor goes on with it before it has compared.
      if specials.isEmpty {
        current += 16
        plainChunks &+= 1
        continue
      }
      current += specials.first
      plainChunks = 0
      switch current.pointee {
      case quote, UInt8(ascii: "\\"): break scan
      case 0x80...:
        isASCII = false
        repeat {
          current += try lengthOfCharacter(at: current)
        } while current.pointee >= 0x80
      case UInt8(ascii: "\""): current += 1  // In single quotes, which JSON5 has.
      default: current = try endOfControlCharacter(at: current)
      }
    }
    return JSON.StringToken(
      start: first, count: current - first, traits: isASCII ? [] : [.isNotASCII])
  }

  /// The length of a character that is not ASCII.
  @inline(__always)
  private func lengthOfCharacter(at current: UnsafePointer<UInt8>) throws(JSON.Fault) -> Int {
    let length = UTF8Check.length(at: current)
    guard length > 0 else { throw JSON.Fault(.invalidUTF8, at: current - start) }
    return length
  }

  /// Passes over a control character, as JSON5 allows.
  private mutating func endOfControlCharacter(
    at current: UnsafePointer<UInt8>
  ) throws(JSON.Fault) -> UnsafePointer<UInt8> {
    guard current < end else { throw JSON.Fault(.unterminatedString, at: offset) }
    // JSON5 refuses line feeds and carriage returns alone.
    guard syntax.isJSON5, current.pointee != 0x0A, current.pointee != 0x0D else {
      position = current
      throw fault(.controlCharacter)
    }
    return current + 1
  }

  /// Reads a string with escapes, which are resolved on the way.
  ///
  /// - Parameter plain: The text before the first escape.
  private mutating func resolveString(
    after plain: JSON.StringToken, into heap: inout TextHeap
  ) throws(JSON.Fault) -> JSON.StringToken {
    let opening = position
    let quote = opening.pointee
    let first = plain.start
    let escape = first + plain.count
    var isASCII = plain.traits.isDisjoint(with: .isNotASCII)
    let heapOffset = heap.append(UnsafeRawBufferPointer(start: first, count: escape - first))
    var source = escape
    var target = heap.end
    var limit = target
    scan: while true {
      if target >= limit {
        heap.advance(target - heap.end)
        heap.reserve(Self.scratchLength * 2)
        target = heap.end
        limit = heap.limit - Self.scratchLength
      }
      // Sixteen bytes are copied, of which those before the next special one count.
      let chunk = Chunk(source)
      UnsafeMutableRawPointer(target).storeBytes(of: chunk.bytes, as: SIMD16<UInt8>.self)
      let specials = chunk.specials(and: quote)
      if specials.isEmpty {
        source += 16
        target += 16
        continue
      }
      let length = specials.first
      source += length
      target += length
      switch source.pointee {
      case quote: break scan
      case 0x80...:
        isASCII = false
        repeat {
          let length = try lengthOfCharacter(at: source)
          UnsafeMutableRawPointer(target).copyMemory(from: source, byteCount: 4)
          source += length
          target += length
        } while source.pointee >= 0x80 && target < limit
      case UInt8(ascii: "\\"):
        if let byte = JSON.escapedByte(source[1]) {
          target.pointee = byte
          target += 1
          source += 2
          continue
        }
        position = source
        let length = try checkEscape()
        let next = JSON.resolveEscape(at: source, to: target)
        if next > target, target.pointee >= 0x80 { isASCII = false }
        target = next
        source += length
      case UInt8(ascii: "\""):  // In single quotes, which JSON5 has.
        target += 1
        source += 1
      default:
        position = opening
        source = try endOfControlCharacter(at: source)
        target += 1
      }
    }
    heap.advance(target - heap.end)
    position = source + 1
    return JSON.StringToken(
      start: UnsafePointer(heap.start) + heapOffset, count: heap.count - heapOffset,
      traits: isASCII ? [.isInHeap] : [.isInHeap, .isNotASCII])
  }

  /// Room for a chunk of text and a character behind it.
  private static var scratchLength: Int { 32 }

  /// The length of the escape here, which has more than two bytes; both halves of a surrogate pair are
  /// one.
  private func checkEscape() throws(JSON.Fault) -> Int {
    switch position[1] {
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

  /// The string of a token.
  @inline(__always) static func text(of token: StringToken) -> String {
    String(
      knownUTF8: UnsafeBufferPointer(start: token.start, count: token.count),
      isASCII: token.traits.isDisjoint(with: .isNotASCII))
  }

  /// A string of less than 16 bytes of ASCII that is not in a heap.
  ///
  /// The standard library takes one byte at a time, which is slower where lengths vary, and faster
  /// where they do not.
  @inline(__always)
  fileprivate static func shortText(at start: UnsafePointer<UInt8>, _ count: Int) -> String {
    String(unsafeUninitializedCapacity: 15) { buffer in
      let source = UnsafeRawPointer(start)
      let target = UnsafeMutableRawPointer(buffer.baseAddress.unsafelyUnwrapped)
      let head = source.loadUnaligned(as: UInt64.self)
      if count < 8 {
        let mask: UInt64 = 1 &<< UInt64(truncatingIfNeeded: count &* 8) &- 1
        target.storeBytes(of: head & mask.littleEndian, as: UInt64.self)
      } else {
        let last = count &- 8
        target.storeBytes(of: head, as: UInt64.self)
        (target + last).storeBytes(
          of: (source + last).loadUnaligned(as: UInt64.self), as: UInt64.self)
      }
      return count
    }
  }

  /// The byte that an escape of two bytes stands for; `nil` if it is another escape.
  @inline(__always)
  private static func escapedByte(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): byte
    case UInt8(ascii: "t"): 0x09
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    default: nil
    }
  }

  /// Writes what an escape stands for, which was checked, as UTF-8.
  ///
  /// - Returns: The address after it.
  private static func resolveEscape(
    at source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    guard source[1] == UInt8(ascii: "u") else {
      // Only JSON5 has others.
      return json5Escape(source + 1).scalar.map { append($0, to: target) } ?? target
    }
    var scalar = hexadecimal(source + 2, digits: 4).unsafelyUnwrapped
    if scalar & 0xFC00 == 0xD800 {
      let low = hexadecimal(source + 8, digits: 4).unsafelyUnwrapped
      scalar = 0x10000 + (scalar & 0x3FF) << 10 + low & 0x3FF
    }
    return append(scalar, to: target)
  }

  /// Writes a scalar as UTF-8, and returns the address after it.
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
