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
    var array: [Element] = []
    try readElements(
      stride: MemoryLayout<Element>.stride, alignment: MemoryLayout<Element>.alignment
    ) { (reader, memory) throws(JSON.Fault) in
      memory.assumingMemoryBound(to: Element.self).initialize(to: try element(&reader))
    } take: { memory, count, capacity in
      let elements = memory.assumingMemoryBound(to: Element.self)
      // A literal takes half as long to allocate as an array of a capacity.
      switch capacity {
      case 1: array = [elements.move()]
      case 2: array = [elements.move(), (elements + 1).move()]
      case 3: array = [elements.move(), (elements + 1).move(), (elements + 2).move()]
      default:
        if array.isEmpty { array.reserveCapacity(capacity) }
        for index in 0..<count { array.append((elements + index).move()) }
      }
    }
    return array
  }

  /// Reads an array of any type: all that does not depend on it, so that little is compiled for each.
  ///
  /// - Parameters:
  ///   - element: Reads one element, whole, into memory that is not initialized.
  ///   - take: Moves elements out of that memory. `capacity` is how many there are in the array, if
  ///     these are the last, or how many to expect.
  @usableFromInline @inline(__always)
  mutating func readElements(
    stride: Int, alignment: Int,
    _ element: (inout JSON.Reader, UnsafeMutableRawPointer) throws(JSON.Fault) -> Void,
    take: (UnsafeMutableRawPointer, _ count: Int, _ capacity: Int) -> Void
  ) throws(JSON.Fault) {
    try beginArray()
    var isFirst = true
    guard try nextElement(&isFirst) else { return }
    // Most arrays are short: on the stack they need not grow, and one allocation is enough.
    let result = withUnsafeTemporaryAllocation(byteCount: 512, alignment: 16) { stack in
      let isOnStack = stride <= 128 && alignment <= 16
      let capacity = isOnStack ? stack.count / stride : 4
      let memory =
        isOnStack
        ? stack.baseAddress.unsafelyUnwrapped
        : .allocate(byteCount: stride * capacity, alignment: alignment)
      defer { if !isOnStack { memory.deallocate() } }
      var count = 0
      var taken = 0
      do throws(JSON.Fault) {
        repeat {
          if count == capacity {
            take(memory, count, capacity &* 4)
            taken &+= count
            count = 0
          }
          try element(&self, memory + count &* stride)
          count &+= 1
        } while try nextElement(&isFirst)
        take(memory, count, taken &+ count)
        return Result<Void, JSON.Fault>.success(())
      } catch {
        take(memory, count, taken &+ count)
        return .failure(error)
      }
    }
    try result.get()
  }

  // Arrays of the usual types, compiled here, with the reading of an element in the loop.

  @usableFromInline @inline(never)
  mutating func readStrings() throws(JSON.Fault) -> [String] {
    try readFew { (reader) throws(JSON.Fault) in try reader.readStringOfArray() }
  }

  @usableFromInline @inline(never)
  mutating func readDoubles() throws(JSON.Fault) -> [Double] {
    try readFew { (reader) throws(JSON.Fault) in try reader.readDouble() }
  }

  /// Reads an array that is expected to be short, such as the coordinates of a point: the first
  /// elements are in no memory until there is that of the array.
  @inline(__always)
  private mutating func readFew<Element>(
    _ element: (inout JSON.Reader) throws(JSON.Fault) -> Element
  ) throws(JSON.Fault) -> [Element] {
    try beginArray()
    var isFirst = true
    guard try nextElement(&isFirst) else { return [] }
    let first = try element(&self)
    guard try nextElement(&isFirst) else { return [first] }
    let second = try element(&self)
    guard try nextElement(&isFirst) else { return [first, second] }
    var array = [first, second, try element(&self)]
    while try nextElement(&isFirst) { array.append(try element(&self)) }
    return array
  }

  @usableFromInline @inline(never)
  mutating func readIntegers() throws(JSON.Fault) -> [Int] {
    try readFew { (reader) throws(JSON.Fault) in try reader.readInteger(as: Int.self) }
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
