extension JSON {
  /// Writes the entries of an object.
  struct KeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    /// Where the handle is; the cache of containers owns it as long as there is the container.
    let cell: UnsafeMutablePointer<JSON.EncodingCell>

    var handle: JSON.EncodingHandle {
      @inline(__always) get { cell.pointee.handle }
    }

    var codingPath: [any CodingKey] { handle.codingPath }

    /// Writes a key and, by a function, a value that cannot fail.
    @inline(__always)
    private func write(_ key: Key, _ value: (inout JSON.Writer) -> Void) throws {
      let handle = handle
      if handle.activate() {
        cell.writeKey(key)
        value(&handle.state.pointee.writer)
      } else {
        try handle.adopt(key) { _ in value(&handle.state.pointee.writer) }
      }
    }

    func encodeNil(forKey key: Key) throws { try write(key) { $0.writeNull() } }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
      let handle = handle
      guard let texts = cell.pointee.texts, handle.activate() else {
        return try encodeInMemory(value, forKey: key)
      }
      let mark = handle.mark
      cell.writeKey(key)
      let byte = UInt8(truncatingIfNeeded: texts.byte(of: key))
      let frameKey = JSON.EncodingFrame.Key.byte(byte, Key.self)
      try handle.encode(value, at: frameKey, entry: mark)
    }

    /// Encodes a value while its key stays in memory, for whoever asks for the coding path.
    @inline(never)
    private func encodeInMemory<T: Encodable>(_ value: T, forKey key: Key) throws {
      let handle = handle
      try withUnsafePointer(to: key) {
        let frameKey = JSON.EncodingFrame.Key.inMemory(UnsafeRawPointer($0), Key.self)
        if handle.activate() {
          let mark = handle.mark
          cell.writeKey(key)
          try handle.encode(value, at: frameKey, entry: mark)
        } else {
          try handle.adopt(key) { try handle.encode(value, at: frameKey, entry: $0) }
        }
      }
    }

    func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
      try borrow(value) { try encode($0, forKey: key) }
    }

    func nestedContainer<NestedKey: CodingKey>(
      keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
      handle.nested(.object, key).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      JSON.UnkeyedContainer(handle: handle.nested(.array, key))
    }

    func superEncoder() -> any Swift.Encoder {
      JSON.EncodingScope(handle: handle.nested(.empty, AnyCodingKey.superKey))
    }

    func superEncoder(forKey key: Key) -> any Swift.Encoder {
      JSON.EncodingScope(handle: handle.nested(.empty, key))
    }
  }
}

/// The protocol asks for each type by name; a type left out would take the way through any
/// `Encodable`.
extension JSON.KeyedContainer {
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
      try encodeInMemory(value, forKey: key)
    }
  }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }
  func encode(_ value: Float, forKey key: Key) throws {
    if value.isFinite {
      try write(key) { $0.writeFinite(value) }
    } else {
      try encodeInMemory(value, forKey: key)
    }
  }
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }
}
