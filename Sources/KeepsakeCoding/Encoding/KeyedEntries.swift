/// Writes the entries of an object.
struct KeyedEntries<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let reference: CellReference<EncodingCell>

  private var cell: UnsafeMutablePointer<EncodingCell> {
    @inline(__always) get { reference.pointer }
  }

  var handle: EncodingHandle {
    @inline(__always) get { cell.pointee.handle }
  }

  var codingPath: [any CodingKey] { handle.codingPath }

  /// Writes a key and a value: into the buffer or, if that is not possible, as a record.
  @inline(__always)
  private func write(
    _ key: Key, _ value: (inout JSON.Writer) -> Void, record: (RecordSlot) throws -> Void
  ) throws {
    let handle = handle
    if handle.activate() {
      cell.writeKey(key)
      value(&handle.state.pointee.writer)
    } else {
      try cell.add(key, record)
    }
  }

  @inline(__always)
  private func writeInteger<T: FixedWidthInteger>(_ value: T, _ key: Key) throws {
    try write(key) {
      $0.write(value)
    } record: {
      try $0.set(integer: value)
    }
  }

  func encodeNil(forKey key: Key) throws {
    try write(key) {
      $0.writeNull()
    } record: {
      $0.setNull()
    }
  }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try encode(any: value, forKey: key)
  }

  @inline(__always)
  private func encode<T: Encodable>(any value: T, forKey key: Key) throws {
    let handle = handle
    guard handle.activate() else { return try cell.add(key, value: value) }
    guard let texts = cell.pointee.texts else { return try encodeInMemory(value, forKey: key) }
    let mark = handle.mark
    cell.writeKey(key)
    let byte = UInt8(truncatingIfNeeded: texts.byte(of: key))
    try handle.encode(value, at: .byte(byte, Key.self), entry: mark)
  }

  /// Writes a value into the buffer while its key stays in memory, for a request for the coding
  /// path.
  @inline(never)
  private func encodeInMemory<T: Encodable>(_ value: T, forKey key: Key) throws {
    try withUnsafePointer(to: key) {
      let mark = handle.mark
      cell.writeKey(key)
      try handle.encode(value, at: .inMemory(UnsafeRawPointer($0), Key.self), entry: mark)
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
    UnkeyedEntries(handle: handle.nested(.array, key))
  }

  func superEncoder() -> any Swift.Encoder {
    ValueEncoder(handle: handle.nested(.empty, AnyCodingKey.superKey))
  }

  func superEncoder(forKey key: Key) -> any Swift.Encoder {
    ValueEncoder(handle: handle.nested(.empty, key))
  }
}

/// The protocol asks for each type by name; a type left out would take the way through any
/// `Encodable`.
extension KeyedEntries {
  func encode(_ value: Bool, forKey key: Key) throws {
    try write(key) {
      $0.write(value)
    } record: {
      $0.set(value)
    }
  }
  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }
  func encode(_ value: String, forKey key: Key) throws {
    try write(key) {
      $0.write(value)
    } record: {
      $0.set(value)
    }
  }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }
  func encode(_ value: Int, forKey key: Key) throws { try writeInteger(value, key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }
  func encode(_ value: Int8, forKey key: Key) throws { try writeInteger(value, key) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }
  func encode(_ value: Int16, forKey key: Key) throws { try writeInteger(value, key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }
  func encode(_ value: Int32, forKey key: Key) throws { try writeInteger(value, key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }
  func encode(_ value: Int64, forKey key: Key) throws { try writeInteger(value, key) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }
  func encode(_ value: Int128, forKey key: Key) throws { try writeInteger(value, key) }
  func encodeIfPresent(_ value: Int128?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }
  func encode(_ value: UInt, forKey key: Key) throws { try writeInteger(value, key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }
  func encode(_ value: UInt8, forKey key: Key) throws { try writeInteger(value, key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }
  func encode(_ value: UInt16, forKey key: Key) throws { try writeInteger(value, key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }
  func encode(_ value: UInt32, forKey key: Key) throws { try writeInteger(value, key) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }
  func encode(_ value: UInt64, forKey key: Key) throws { try writeInteger(value, key) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }
  func encode(_ value: UInt128, forKey key: Key) throws { try writeInteger(value, key) }
  func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }
  func encode(_ value: Double, forKey key: Key) throws {
    // What becomes of other numbers is up to the options.
    guard value.isFinite || handle.state.pointee.isRecording else {
      return try encode(any: value, forKey: key)
    }
    try write(key) {
      $0.writeFinite(value)
    } record: {
      try $0.set(value)
    }
  }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }
  func encode(_ value: Float, forKey key: Key) throws {
    // What becomes of other numbers is up to the options.
    guard value.isFinite || handle.state.pointee.isRecording else {
      return try encode(any: value, forKey: key)
    }
    try write(key) {
      $0.writeFinite(value)
    } record: {
      try $0.set(value)
    }
  }
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }
}
