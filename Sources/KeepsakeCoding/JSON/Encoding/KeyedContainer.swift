/// Writes the entries of an object.
struct KeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let handle: EncodingHandle

  var codingPath: [any CodingKey] { handle.codingPath }

  /// Writes a key and, by a function, a value that cannot fail.
  @inline(__always)
  private func write(_ key: Key, _ value: (inout JSON.Writer) -> Void) throws {
    if handle.activate() {
      handle.writeKey(key)
      value(&handle.state.pointee.writer)
    } else {
      try handle.adopt(key) { _ in value(&handle.state.pointee.writer) }
    }
  }

  /// Writes a key and, by a function, a value that may fail.
  @inline(__always)
  private func tryWrite(_ key: Key, _ value: (EncodingFrame.Key, EncodingMark) throws -> Void)
    throws
  {
    try withUnsafePointer(to: key) {
      let frameKey = EncodingFrame.Key.inMemory(UnsafeRawPointer($0), Key.self)
      if handle.activate() {
        let mark = handle.mark
        handle.writeKey(key)
        try value(frameKey, mark)
      } else {
        try handle.adopt(key) { try value(frameKey, $0) }
      }
    }
  }

  func encodeNil(forKey key: Key) throws { try write(key) { $0.writeNull() } }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try tryWrite(key) { try handle.encode(value, at: $0, entry: $1) }
  }

  func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    KeyedEncodingContainer(KeyedContainer<NestedKey>(handle: handle.nested(.object, key)))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    UnkeyedContainer(handle: handle.nested(.array, key))
  }

  func superEncoder() -> any Swift.Encoder {
    EncodingScope(handle: handle.nested(.empty, EncodingPathKey.super))
  }

  func superEncoder(forKey key: Key) -> any Swift.Encoder {
    EncodingScope(handle: handle.nested(.empty, key))
  }
}

/// The protocol asks for each type by name; a type left out would take the way through any
/// `Encodable`.
extension KeyedContainer {
  func encode(_ value: Bool, forKey key: Key) throws {
    try write(key) { $0.write(value) }
  }
  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }
  func encode(_ value: String, forKey key: Key) throws {
    try write(key) { $0.write(value) }
  }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }
  func encode(_ value: Int, forKey key: Key) throws {
    try write(key) { $0.write(value) }
  }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }
  func encode(_ value: Int8, forKey key: Key) throws {
    try write(key) { $0.write(value) }
  }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }
  func encode(_ value: Int16, forKey key: Key) throws {
    try write(key) { $0.write(value) }
  }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }
  func encode(_ value: Int32, forKey key: Key) throws {
    try write(key) { $0.write(value) }
  }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }
  func encode(_ value: Int64, forKey key: Key) throws {
    try write(key) { $0.write(value) }
  }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }
  func encode(_ value: Int128, forKey key: Key) throws {
    try write(key) { $0.write(value) }
  }
  func encodeIfPresent(_ value: Int128?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }
  func encode(_ value: UInt, forKey key: Key) throws {
    try write(key) { $0.write(value) }
  }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }
  func encode(_ value: UInt8, forKey key: Key) throws {
    try write(key) { $0.write(value) }
  }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }
  func encode(_ value: UInt16, forKey key: Key) throws {
    try write(key) { $0.write(value) }
  }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }
  func encode(_ value: UInt32, forKey key: Key) throws {
    try write(key) { $0.write(value) }
  }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }
  func encode(_ value: UInt64, forKey key: Key) throws {
    try write(key) { $0.write(value) }
  }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }
  func encode(_ value: UInt128, forKey key: Key) throws {
    try write(key) { $0.write(value) }
  }
  func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }
  func encode(_ value: Double, forKey key: Key) throws {
    if value.isFinite {
      try write(key) { $0.writeFinite(value) }
    } else {
      try tryWrite(key) { frameKey, mark in try handle.encode(value, at: frameKey, entry: mark) }
    }
  }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }
  func encode(_ value: Float, forKey key: Key) throws {
    if value.isFinite {
      try write(key) { $0.writeFinite(value) }
    } else {
      try tryWrite(key) { frameKey, mark in try handle.encode(value, at: frameKey, entry: mark) }
    }
  }
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }
}
