extension JSON {
  /// A value that is read straight from the bytes: what generated code conforms a type to.
  public protocol Readable {
    /// Reads exactly one value.
    ///
    /// - Throws: What keeps the text from being such a value.
    init(from reader: inout Reader) throws(Fault)
  }
}

extension JSON.Readable where Self: FixedWidthInteger {
  /// Reads a whole number that fits.
  @inlinable
  public init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    self = try reader.readInteger(as: Self.self)
  }
}

extension Int: JSON.Readable {}
extension Int8: JSON.Readable {}
extension Int16: JSON.Readable {}
extension Int32: JSON.Readable {}
extension Int64: JSON.Readable {}
extension UInt: JSON.Readable {}
extension UInt8: JSON.Readable {}
extension UInt16: JSON.Readable {}
extension UInt32: JSON.Readable {}
extension UInt64: JSON.Readable {}

extension Double: JSON.Readable {
  /// Reads a number.
  public init(from reader: inout JSON.Reader) throws(JSON.Fault) { self = try reader.readDouble() }
}

extension Float: JSON.Readable {
  /// Reads a number.
  public init(from reader: inout JSON.Reader) throws(JSON.Fault) { self = try reader.readFloat() }
}

extension Bool: JSON.Readable {
  /// Reads `true` or `false`.
  @inlinable
  public init(from reader: inout JSON.Reader) throws(JSON.Fault) { self = try reader.readBool() }
}

extension String: JSON.Readable {
  /// Reads a string.
  @inlinable
  public init(from reader: inout JSON.Reader) throws(JSON.Fault) { self = try reader.readString() }
}

extension Optional: JSON.Readable where Wrapped: JSON.Readable {
  /// Reads a value, or null.
  @inlinable
  public init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    self = try reader.readNull() ? nil : Wrapped(from: &reader)
  }
}

extension Array: JSON.Readable where Element: JSON.Readable {
  /// Reads an array.
  @inlinable
  public init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    // The comparisons are made as this is compiled; equal types need no conversion.
    if Element.self == String.self {
      self = unsafeBitCast(try reader.readStrings(), to: Self.self)
    } else if Element.self == Double.self {
      self = unsafeBitCast(try reader.readDoubles(), to: Self.self)
    } else if Element.self == Int.self {
      self = unsafeBitCast(try reader.readIntegers(), to: Self.self)
    } else {
      self = try reader.readArray { (reader) throws(JSON.Fault) in try Element(from: &reader) }
    }
  }
}

extension Dictionary: JSON.Readable where Key == String, Value: JSON.Readable {
  /// Reads an object whose keys are values.
  @inlinable
  public init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    self = try reader.readDictionary { (reader) throws(JSON.Fault) in try Value(from: &reader) }
  }
}
