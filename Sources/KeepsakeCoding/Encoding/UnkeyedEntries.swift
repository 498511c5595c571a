/// Writes the elements of an array.
struct UnkeyedEntries: UnkeyedEncodingContainer {
  let handle: EncodingHandle

  var codingPath: [any CodingKey] { handle.codingPath }
  var count: Int { handle.elementCount }

  /// Writes a value: into the buffer or, if that is not possible, as a record.
  @inline(__always)
  private func write(
    _ value: (inout JSON.Writer) -> Void, record: (RecordSlot) throws -> Void
  ) throws {
    if handle.activate() {
      value(&handle.state.pointee.writer)
      handle.state.pointee.frames.last.pointee.count &+= 1
    } else {
      try handle.add(record)
    }
  }

  @inline(__always)
  private func writeInteger<T: FixedWidthInteger>(_ value: T) throws {
    try write {
      $0.write(value)
    } record: {
      try $0.set(integer: value)
    }
  }

  func encodeNil() throws {
    try write {
      $0.writeNull()
    } record: {
      $0.setNull()
    }
  }

  func encode<T: Encodable>(_ value: T) throws {
    guard handle.activate() else { return try handle.add(value: value) }
    let index = handle.state.pointee.frames.last.pointee.count
    try handle.encode(value, at: .index(index), entry: handle.mark)
    handle.countElement()
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    handle.nestedElement(.object).container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    UnkeyedEntries(handle: handle.nestedElement(.array))
  }

  func superEncoder() -> any Swift.Encoder {
    ValueEncoder(handle: handle.nestedElement(.empty))
  }
}

extension UnkeyedEntries {
  func encode(_ value: Bool) throws {
    try write {
      $0.write(value)
    } record: {
      $0.set(value)
    }
  }
  func encode(_ value: String) throws {
    try write {
      $0.write(value)
    } record: {
      $0.set(value)
    }
  }
  func encode(_ value: Int) throws { try writeInteger(value) }
  func encode(_ value: Int8) throws { try writeInteger(value) }
  func encode(_ value: Int16) throws { try writeInteger(value) }
  func encode(_ value: Int32) throws { try writeInteger(value) }
  func encode(_ value: Int64) throws { try writeInteger(value) }
  func encode(_ value: Int128) throws { try writeInteger(value) }
  func encode(_ value: UInt) throws { try writeInteger(value) }
  func encode(_ value: UInt8) throws { try writeInteger(value) }
  func encode(_ value: UInt16) throws { try writeInteger(value) }
  func encode(_ value: UInt32) throws { try writeInteger(value) }
  func encode(_ value: UInt64) throws { try writeInteger(value) }
  func encode(_ value: UInt128) throws { try writeInteger(value) }

  func encode(_ value: Double) throws {
    // What becomes of other numbers is up to the options.
    if value.isFinite || handle.state.pointee.isRecording {
      return try write {
        $0.writeFinite(value)
      } record: {
        try $0.set(value)
      }
    }
    guard handle.activate() else { return try handle.add { try $0.set(value) } }
    try handle.write(value, at: .index(count))
    handle.countElement()
  }

  func encode(_ value: Float) throws {
    // What becomes of other numbers is up to the options.
    if value.isFinite || handle.state.pointee.isRecording {
      return try write {
        $0.writeFinite(value)
      } record: {
        try $0.set(value)
      }
    }
    guard handle.activate() else { return try handle.add { try $0.set(value) } }
    try handle.write(value, at: .index(count))
    handle.countElement()
  }
}
