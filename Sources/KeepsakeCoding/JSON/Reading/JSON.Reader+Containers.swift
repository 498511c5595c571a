/// Objects and arrays, entry by entry.
extension JSON.Reader {
  /// A key of an object: valid until the reader goes on.
  public struct Key {
    @usableFromInline let start: UnsafePointer<UInt8>
    /// The key's length in UTF-8 bytes.
    public let count: Int

    @inlinable init(start: UnsafePointer<UInt8>, count: Int) {
      self.start = start
      self.count = count
    }

    /// Whether the key is a name.
    @inlinable @inline(__always) public func matches(_ name: StaticString) -> Bool {
      count == name.utf8CodeUnitCount && ByteComparison.areEqual(start, name.utf8Start, count)
    }

    /// The key's text.
    public var string: String {
      String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }
  }

  /// Opens an object.
  ///
  /// - Throws: ``JSON/Fault`` if none is here, or too many are open.
  @inlinable @inline(__always) public mutating func beginObject() throws(JSON.Fault) {
    guard try skipWhitespace() == UInt8(ascii: "{") else { throw fault(.expectedObject) }
    try open()
  }

  /// Reads the next key of the open object; its value is to be read next.
  ///
  /// - Parameter isFirst: `true` initially, one variable for each object.
  /// - Returns: `nil` at the end of the object, which is closed then.
  /// - Throws: ``JSON/Fault`` if neither a key nor the end is here.
  @inlinable @inline(__always)
  public mutating func nextKey(_ isFirst: inout Bool) throws(JSON.Fault) -> Key? {
    var byte = try skipWhitespace()
    if byte == UInt8(ascii: "}") {
      close()
      return nil
    }
    if isFirst {
      isFirst = false
    } else {
      guard byte == UInt8(ascii: ",") else { throw fault(.expectedCommaOrBrace) }
      position += 1
      byte = try skipWhitespace()
      if byte == UInt8(ascii: "}"), syntax.contains(.trailingCommas) {
        close()
        return nil
      }
    }
    guard byte == UInt8(ascii: "\"") else { return try nextUnusualKey() }
    let token = try scanString()
    guard try skipWhitespace() == UInt8(ascii: ":") else { throw fault(.expectedColon) }
    position += 1
    return Key(start: token.start, count: token.count)
  }

  @usableFromInline @inline(never)
  mutating func nextUnusualKey() throws(JSON.Fault) -> Key? {
    let token = try scanUnusualKey()
    guard try skipWhitespace() == UInt8(ascii: ":") else { throw fault(.expectedColon) }
    position += 1
    return Key(start: token.start, count: token.count)
  }

  /// Reads a key that does not begin with a double quote, as JSON5 allows.
  ///
  /// - Returns: Text that is valid until the reader goes on.
  mutating func scanUnusualKey() throws(JSON.Fault) -> JSON.StringToken {
    try withScratch { reader, heap throws(JSON.Fault) in try reader.scanUnusualKey(into: &heap) }
  }

  /// Reads a key that does not begin with a double quote, as JSON5 allows.
  ///
  /// - Parameter heap: Gets the text if there are escapes in it.
  mutating func scanUnusualKey(
    into heap: inout TextHeap
  ) throws(JSON.Fault) -> JSON.StringToken {
    guard syntax.isJSON5 else { throw fault(.expectedKey) }
    if position.pointee == UInt8(ascii: "'") { return try scanLongString(into: &heap) }
    return try scanJSON5Name(into: &heap)
  }

  /// Opens an array.
  ///
  /// - Throws: ``JSON/Fault`` if none is here, or too many are open.
  @inlinable @inline(__always) public mutating func beginArray() throws(JSON.Fault) {
    guard try skipWhitespace() == UInt8(ascii: "[") else { throw fault(.expectedArray) }
    try open()
  }

  /// Goes to the next element of the open array, which is to be read next.
  ///
  /// - Parameter isFirst: `true` initially, one variable for each array.
  /// - Returns: `false` at the end of the array, which is closed then.
  /// - Throws: ``JSON/Fault`` if neither an element nor the end is here.
  @inlinable @inline(__always)
  public mutating func nextElement(_ isFirst: inout Bool) throws(JSON.Fault) -> Bool {
    let byte = try skipWhitespace()
    if byte == UInt8(ascii: "]") {
      close()
      return false
    }
    if isFirst {
      isFirst = false
      return true
    }
    guard byte == UInt8(ascii: ",") else { throw fault(.expectedCommaOrBracket) }
    position += 1
    if try skipWhitespace() == UInt8(ascii: "]"), syntax.contains(.trailingCommas) {
      close()
      return false
    }
    return true
  }

  /// Reads an array.
  ///
  /// - Parameter element: Reads one element, whole.
  /// - Throws: ``JSON/Fault`` if no array is here, and what `element` throws.
  @inlinable
  public mutating func readArray<Element>(
    _ element: (inout JSON.Reader) throws(JSON.Fault) -> Element
  ) throws(JSON.Fault) -> [Element] {
    try beginArray()
    var isFirst = true
    guard try nextElement(&isFirst) else { return [] }
    // Most arrays are short: on the stack they need not grow, and one allocation is enough.
    let capacity = 8
    let result = withUnsafeTemporaryAllocation(of: Element.self, capacity: capacity) { buffer in
      let elements = buffer.baseAddress.unsafelyUnwrapped
      var count = 0
      do throws(JSON.Fault) {
        repeat {
          (elements + count).initialize(to: try element(&self))
          count &+= 1
          guard try nextElement(&isFirst) else {
            return Result<([Element], Bool), JSON.Fault>.success(
              (Self.array(moving: elements, count, capacity: count), true))
          }
        } while count < capacity
        return .success((Self.array(moving: elements, count, capacity: capacity &* 4), false))
      } catch {
        elements.deinitialize(count: count)
        return .failure(error)
      }
    }
    var (array, isComplete) = try result.get()
    if isComplete { return array }
    repeat { array.append(try element(&self)) } while try nextElement(&isFirst)
    return array
  }

  /// An array of elements, which are moved there.
  @inlinable @inline(__always)
  static func array<Element>(
    moving elements: UnsafeMutablePointer<Element>, _ count: Int, capacity: Int
  ) -> [Element] {
    // A literal takes half as long to allocate as an array of a capacity.
    switch capacity {
    case 1: return [elements.move()]
    case 2: return [elements.move(), (elements + 1).move()]
    case 3: return [elements.move(), (elements + 1).move(), (elements + 2).move()]
    default:
      var array: [Element] = []
      array.reserveCapacity(capacity)
      for index in 0..<count { array.append((elements + index).move()) }
      return array
    }
  }

  /// Reads an object whose keys are values; of two equal keys the first counts.
  ///
  /// - Parameter value: Reads one value, whole.
  /// - Throws: ``JSON/Fault`` if no object is here, and what `value` throws.
  @inlinable @inline(__always)
  public mutating func readDictionary<Value>(
    _ value: (inout JSON.Reader) throws(JSON.Fault) -> Value
  ) throws(JSON.Fault) -> [String: Value] {
    try beginObject()
    var result: [String: Value] = [:]
    var isFirst = true
    while let key = try nextKey(&isFirst) {
      let name = key.string
      let read = try value(&self)
      if let earlier = result.updateValue(read, forKey: name) { result[name] = earlier }
    }
    return result
  }
}
