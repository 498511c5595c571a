extension JSON {
  /// Writes JSON into a growing buffer: what stands under ``Encoder`` and under generated code.
  ///
  /// Every value is followed by a comma, which the end of its object or array takes away again:
  /// so nothing needs to be known of what comes before or after.
  ///
  /// ```swift
  /// func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
  ///   try writer.beginObject()
  ///   writer.key(prejoined: #""name":"#)
  ///   writer.write(name)
  ///   writer.endObject()
  /// }
  /// ```
  ///
  /// Calls in an order that makes no JSON make text that is no JSON, never a write outside the
  /// buffer.
  public struct Writer: ~Copyable {
    @usableFromInline var output: OutputBuffer
    /// The objects and arrays that are open.
    @usableFromInline var depth = 0
    /// The byte that is escaped beside those that must be: a slash, or once more the quotation mark.
    var escapedSlash: UInt8
    /// How dates are written.
    var dates = DateForm.deferredToDate

    /// Objects and arrays lie at most this deep in one another, as Foundation's coders have it.
    public static var maximumDepth: Int { 511 }

    /// Creates an empty writer.
    ///
    /// - Parameters:
    ///   - capacity: The number of bytes that are allocated initially.
    ///   - escapesSlashes: Whether "/" is written as "\/", as Foundation does by default.
    public init(capacity: Int = 1024, escapesSlashes: Bool = false) {
      output = OutputBuffer(capacity: capacity)
      escapedSlash = escapesSlashes ? UInt8(ascii: "/") : UInt8(ascii: "\"")
    }
  }
}

extension JSON.Writer {
  // MARK: The buffer

  @inlinable
  var base: UnsafeMutablePointer<UInt8> {
    @inline(__always) get { output.base }
  }

  /// Where the next byte is written.
  @inlinable
  var next: UnsafeMutablePointer<UInt8> {
    @inline(__always) get { output.next }
    @inline(__always) set { output.next = newValue }
  }

  /// The bytes written so far.
  @inlinable
  var count: Int {
    @inline(__always) get { output.next - output.base }
  }

  /// The bytes that the buffer has room for.
  var capacity: Int { output.capacity }

  /// Makes room for a number of bytes after `next`.
  @inlinable @inline(__always)
  mutating func reserve(_ length: Int) { output.reserve(length) }

  /// Writes one byte.
  @inlinable @inline(__always)
  mutating func append(_ byte: UInt8) { output.append(byte) }

  /// Writes text unchanged.
  @inlinable @inline(__always)
  mutating func append(_ text: StaticString) { output.append(text) }

  /// Writes bytes as they are; they are not part of the buffer itself.
  mutating func append(_ bytes: UnsafeRawBufferPointer) { output.append(bytes) }

  /// Removes what was written after an earlier ``count``.
  @inline(__always)
  mutating func truncate(to count: Int) { output.truncate(to: count) }

  /// A copy of the bytes from one offset to another, both within what was written.
  func bytes(from start: Int, to end: Int) -> [UInt8] {
    guard start < end, end <= count else { return [] }
    return [UInt8](UnsafeBufferPointer(start: base + start, count: end - start))
  }

  // MARK: Objects and arrays

  /// Opens an object.
  ///
  /// - Throws: ``JSON/WriteError/tooDeep`` at ``maximumDepth``.
  @inlinable @inline(__always)
  public mutating func beginObject() throws(JSON.WriteError) {
    guard depth < Self.maximumDepth else { throw .tooDeep }
    depth &+= 1
    append(UInt8(ascii: "{"))
  }

  /// Closes an object.
  @inlinable @inline(__always)
  public mutating func endObject() {
    depth &-= 1
    close(with: UInt8(ascii: "}"))
  }

  /// Opens an array.
  ///
  /// - Throws: ``JSON/WriteError/tooDeep`` at ``maximumDepth``.
  @inlinable @inline(__always)
  public mutating func beginArray() throws(JSON.WriteError) {
    guard depth < Self.maximumDepth else { throw .tooDeep }
    depth &+= 1
    append(UInt8(ascii: "["))
  }

  /// Closes an array.
  @inlinable @inline(__always)
  public mutating func endArray() {
    depth &-= 1
    close(with: UInt8(ascii: "]"))
  }

  /// Writes a bracket in the place of the last comma, if there is one, and a comma.
  @inlinable @inline(__always)
  mutating func close(with bracket: UInt8) {
    reserve(2)
    if next > base, (next - 1).pointee == UInt8(ascii: ",") { next -= 1 }
    next[0] = bracket
    next[1] = UInt8(ascii: ",")
    next += 2
  }

  // MARK: The end

  /// Removes the comma after the last value.
  @inlinable
  mutating func removeLastComma() {
    if next > base, (next - 1).pointee == UInt8(ascii: ",") { next -= 1 }
  }

  /// The text of the value that was written.
  ///
  /// - Parameter prettyPrinted: Whether lines are broken and indented as Foundation does it.
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  public consuming func finish(prettyPrinted: Bool = false) -> [UInt8] {
    removeLastComma()
    return prettyPrinted ? laidOut().output.bytes() : output.bytes()
  }
}
