extension JSON {
  /// Reads JSON from first byte to last, value by value, with nothing between bytes and fields.
  ///
  /// This is the reader under ``Decoder`` and ``Value``, and what generated code reads with. Where
  /// a value begins, one of ``readString()``, ``readInteger(as:)``, ``readDouble()``,
  /// ``readBool()``, ``readNull()``, ``readArray(_:)``, ``beginObject()`` or ``skipValue()`` takes
  /// it. The text must conform to RFC 8259, unless a ``Syntax`` allows more.
  ///
  /// A reader exists only inside of ``JSON/read(_:syntax:maximumDepth:_:)``, which owns the bytes;
  /// as it cannot be copied, it cannot outlive them.
  public struct Reader: ~Copyable {
    // The text ends with zero bytes (see `Input`). `position` never passes the first of them:
    // it moves only past bytes that were seen, and a zero is never one to move past.
    @usableFromInline var position: UnsafePointer<UInt8>
    @usableFromInline let start: UnsafePointer<UInt8>
    @usableFromInline let end: UnsafePointer<UInt8>
    /// Who keeps the text is also whom the reader belongs to.
    let input: Unmanaged<InputBytes>
    @usableFromInline let syntax: Syntax
    /// How dates are written in the text.
    var dates = DateForm.deferredToDate
    /// How many more objects and arrays may be opened.
    @usableFromInline var depthLeft: Int
    /// The last text that had an escape in it.
    @usableFromInline var scratch = TextHeap()

    /// - Parameter count: The length of the part that is read; all by default.
    @usableFromInline init(
      _ input: InputBytes, count: Int? = nil, syntax: Syntax, maximumDepth: Int
    ) {
      position = input.start
      start = input.start
      end = input.start + (count ?? input.count)
      self.input = .passUnretained(input)
      self.syntax = syntax
      depthLeft = maximumDepth
    }
  }

  /// The most objects and arrays that may be open at once unless a caller says otherwise: as many
  /// as Foundation's coders allow.
  public static let defaultMaximumDepth = 512

  /// Reads one value, and sees that nothing follows it.
  ///
  /// - Parameters:
  ///   - bytes: The text, in UTF-8.
  ///   - syntax: What is accepted beside RFC 8259.
  ///   - maximumDepth: The most objects and arrays that may be open at once.
  ///   - body: Reads the value, whole.
  /// - Returns: What `body` returns.
  /// - Throws: ``ParseError`` for what is wrong with the text.
  /// - Complexity: O(*n*) in the number of bytes, beside what `body` does.
  @inlinable public static func read<Result>(
    _ bytes: [UInt8], syntax: Syntax = [], maximumDepth: Int = defaultMaximumDepth,
    _ body: (inout Reader) throws(Fault) -> Result
  ) throws(ParseError) -> Result {
    let input = bytes.withUnsafeBytes { InputBytes(copying: $0) }
    defer { withExtendedLifetime(input) {} }
    var reader = Reader(input, syntax: syntax, maximumDepth: maximumDepth)
    do throws(Fault) {
      let result = try body(&reader)
      try reader.finish()
      return result
    } catch {
      throw ParseError(error, in: input, syntax: syntax)
    }
  }
}

extension JSON.Reader {
  /// The distance of the next byte from the start of the text.
  @inlinable public var offset: Int { position - start }

  /// A location to which the reader can return.
  package struct Mark {
    fileprivate let position: UnsafePointer<UInt8>
    fileprivate let depthLeft: Int
  }

  /// Where the reader is.
  package var mark: Mark { Mark(position: position, depthLeft: depthLeft) }

  /// Returns to a location that this reader was at.
  package mutating func goBack(to mark: Mark) {
    position = mark.position
    depthLeft = mark.depthLeft
  }

  /// A fault at the next byte, or at the end of the text if there is none.
  @usableFromInline @inline(never) func fault(_ reason: JSON.Fault.Reason) -> JSON.Fault {
    JSON.Fault(position >= end ? .unexpectedEnd : reason, at: min(offset, end - start))
  }

  /// Passes over whitespace.
  ///
  /// - Returns: The byte after it, which is not taken; a zero at the end of the text.
  @inlinable @inline(__always) mutating func skipWhitespace() throws(JSON.Fault) -> UInt8 {
    let byte = position.pointee
    if Self.isPlain(byte) { return byte }
    // One space follows most colons.
    let next = position[1]
    if byte == UInt8(ascii: " "), Self.isPlain(next) {
      position += 1
      return next
    }
    return try skipLongWhitespace()
  }

  /// Whether a byte is neither whitespace, nor the slash of a comment, nor anything but ASCII.
  @inlinable @inline(__always) static func isPlain(_ byte: UInt8) -> Bool {
    byte &- 0x21 < 0x5F && byte != UInt8(ascii: "/")
  }

  @usableFromInline @inline(never) mutating func skipLongWhitespace() throws(JSON.Fault) -> UInt8 {
    while true {
      // A line feed, then indentation.
      if position.pointee == UInt8(ascii: "\n") { position += 1 }
      var nonspaces = Chunk(position).nonspaces
      while nonspaces.isEmpty {
        position += 16
        nonspaces = Chunk(position).nonspaces
      }
      position += nonspaces.first
      let byte = position.pointee
      if Self.isPlain(byte) { return byte }
      switch byte {
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): position += 1
      case UInt8(ascii: "/") where syntax.contains(.comments): try skipComment()
      default:
        if syntax.isJSON5, skipJSON5Whitespace() { continue }
        return byte
      }
    }
  }

  private mutating func skipComment() throws(JSON.Fault) {
    let opening = offset
    switch position[1] {
    case UInt8(ascii: "/"):
      // Also past `end`, which can be inside the text, so that skipping whitespace terminates.
      position += 2
      while position < end, position.pointee != 0x0A, position.pointee != 0x0D,
        !(syntax.isJSON5 && isAtLineSeparator)
      {
        position += 1
      }
    case UInt8(ascii: "*"):
      position += 2
      while position[0] != UInt8(ascii: "*") || position[1] != UInt8(ascii: "/") {
        guard position < end else { throw JSON.Fault(.unterminatedComment, at: opening) }
        position += 1
      }
      position += 2
    default: throw fault(.unexpectedCharacter)
    }
    // Comments are not strings: what is in them is not kept, but must be text all the same.
    if let invalid = UTF8Check.firstInvalid(from: start + opening, to: position) {
      throw JSON.Fault(.invalidUTF8, at: invalid - start)
    }
  }

  /// Whether the next byte could be one of a number or a word.
  var isWithinWord: Bool {
    switch position.pointee {
    case 0x24, 0x2B, 0x2D, 0x2E, 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: true
    default: false
    }
  }

  /// Sees that only whitespace is left.
  @usableFromInline mutating func finish() throws(JSON.Fault) {
    _ = try skipWhitespace()
    if position < end { throw fault(.trailingData) }
  }

  /// Opens an object or an array, whose first byte the caller has seen.
  @inlinable @inline(__always) mutating func open() throws(JSON.Fault) {
    guard depthLeft > 0 else { throw fault(.tooDeep) }
    depthLeft &-= 1
    position += 1
  }

  /// Closes an object or an array, whose last byte the caller has seen.
  @inlinable @inline(__always) mutating func close() {
    depthLeft &+= 1
    position += 1
  }
}
