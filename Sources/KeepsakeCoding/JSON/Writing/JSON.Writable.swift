extension JSON {
  /// A value that writes itself: what generated code conforms a type to.
  public protocol Writable {
    /// Writes exactly one value.
    ///
    /// - Throws: What keeps the value from being JSON.
    func write(to writer: inout Writer) throws(WriteError)
  }
}

extension JSON.Writer {
  /// Writes an array.
  ///
  /// - Throws: What keeps an element from being JSON.
  /// - Complexity: O(*n*), where *n* is the number of elements.
  @inlinable
  public mutating func write<Element: JSON.Writable>(
    _ elements: [Element]
  ) throws(JSON.WriteError) {
    try beginArray()
    // A loop over the array itself would count each reference in an element up and down.
    let result = elements.withUnsafeBufferPointer { elements in
      do throws(JSON.WriteError) {
        for index in 0..<elements.count {
          try borrow(index, of: elements.baseAddress.unsafelyUnwrapped) {
            (element) throws(JSON.WriteError) in try element.write(to: &self)
          }
        }
        return Result<Void, JSON.WriteError>.success(())
      } catch {
        return .failure(error)
      }
    }
    try result.get()
    endArray()
  }

  /// Writes an object, its entries in the dictionary's order.
  ///
  /// - Throws: What keeps a value from being JSON.
  /// - Complexity: O(*n*), where *n* is the number of entries.
  @inlinable
  public mutating func write<Value: JSON.Writable>(
    _ entries: [String: Value]
  ) throws(JSON.WriteError) {
    try beginObject()
    for (name, value) in entries {
      key(name)
      try value.write(to: &self)
    }
    endObject()
  }

  /// Writes a value, or null if there is none.
  ///
  /// - Throws: What keeps the value from being JSON.
  @inlinable
  public mutating func write<Value: JSON.Writable>(
    _ value: Value?
  ) throws(JSON.WriteError) {
    if let value { try value.write(to: &self) } else { writeNull() }
  }
}

extension JSON.Writable where Self: FixedWidthInteger {
  /// Writes the number.
  @inlinable
  public func write(to writer: inout JSON.Writer) throws(JSON.WriteError) { writer.write(self) }
}

extension Int: JSON.Writable {}
extension Int8: JSON.Writable {}
extension Int16: JSON.Writable {}
extension Int32: JSON.Writable {}
extension Int64: JSON.Writable {}
extension Int128: JSON.Writable {}
extension UInt: JSON.Writable {}
extension UInt8: JSON.Writable {}
extension UInt16: JSON.Writable {}
extension UInt32: JSON.Writable {}
extension UInt64: JSON.Writable {}
extension UInt128: JSON.Writable {}

extension Double: JSON.Writable {
  /// Writes the number.
  @inlinable
  public func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.write(self)
  }
}

extension Float: JSON.Writable {
  /// Writes the number.
  @inlinable
  public func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.write(self)
  }
}

extension Bool: JSON.Writable {
  /// Writes `true` or `false`.
  @inlinable
  public func write(to writer: inout JSON.Writer) throws(JSON.WriteError) { writer.write(self) }
}

extension String: JSON.Writable {
  /// Writes the string.
  @inlinable
  public func write(to writer: inout JSON.Writer) throws(JSON.WriteError) { writer.write(self) }
}

extension Array: JSON.Writable where Element: JSON.Writable {
  /// Writes the elements.
  @inlinable
  public func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.write(self)
  }
}

extension Optional: JSON.Writable where Wrapped: JSON.Writable {
  /// Writes the value or null.
  @inlinable
  public func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.write(self)
  }
}

extension Dictionary: JSON.Writable where Key == String, Value: JSON.Writable {
  /// Writes the entries.
  @inlinable
  public func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    try writer.write(self)
  }
}
