extension JSON {
  /// An object that is being read.
  public struct OpenObject {
    @usableFromInline let fields: Fields
    /// The field that comes next where the order is the type's.
    @usableFromInline var expected = 0
    /// A bit for each field that was found.
    @usableFromInline var found: UInt64 = 0
    @usableFromInline var isFirst = true
    @usableFromInline let opening: Int

    @inlinable init(_ fields: Fields, opening: Int) {
      self.fields = fields
      self.opening = opening
    }

    /// Whether a field was found.
    @inlinable public func contains(_ field: Int) -> Bool {
      found & (1 &<< UInt64(truncatingIfNeeded: field)) != 0
    }

    /// What is thrown if a field was not found.
    public var missingField: Fault { Fault(.missingKey, at: opening) }
  }
}

extension JSON.Reader {
  /// Opens an object.
  ///
  /// - Throws: ``JSON/Fault`` if none is here, or too many are open.
  @inlinable @inline(__always)
  public mutating func beginObject(
    _ fields: JSON.Fields
  ) throws(JSON.Fault) -> JSON.OpenObject {
    let object = JSON.OpenObject(fields, opening: offset)
    try beginObject()
    return object
  }

  /// Reads the next key of an object, whose value is to be read next.
  ///
  /// - Returns: The number of the field, or -1 for an unknown key; `nil` at the end of the object.
  /// - Throws: ``JSON/Fault`` if neither a key nor the end is here, or the field was found before.
  @inlinable @inline(__always)
  public mutating func nextField(of object: inout JSON.OpenObject) throws(JSON.Fault) -> Int? {
    // Where the next field is the one that is expected, its name is compared and not scanned.
    let separator: UInt8 = object.isFirst ? UInt8(ascii: "\"") : UInt8(ascii: ",")
    if object.expected < object.fields.count, position.pointee == separator {
      let name = object.fields.names[object.expected]
      let start = object.isFirst ? position : position + 1
      if ByteComparison.areEqual(start, name.start, name.count),
        start[name.count] == UInt8(ascii: ":")
      {
        let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: object.expected)
        if object.found & bit == 0 {
          object.found |= bit
          object.isFirst = false
          position = start + (name.count &+ 1)
          object.expected &+= 1
          return object.expected &- 1
        }
      }
    }
    return try findField(of: &object)
  }

  @usableFromInline @inline(never)
  mutating func findField(of object: inout JSON.OpenObject) throws(JSON.Fault) -> Int? {
    guard let key = try nextKey(&object.isFirst) else { return nil }
    let index = object.fields.index(of: key)
    guard index >= 0 else { return -1 }
    let bit: UInt64 = 1 << UInt64(index)
    guard object.found & bit == 0 else { throw fault(.duplicateKey) }
    object.found |= bit
    object.expected = index + 1
    return index
  }
}
