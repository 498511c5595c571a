extension JSON {
  /// Writes the elements of an array.
  struct UnkeyedContainer: UnkeyedEncodingContainer {
    let handle: JSON.EncodingHandle

    var codingPath: [any CodingKey] { handle.codingPath }
    var count: Int { handle.elementCount }

    /// Writes, by a function, a value that cannot fail.
    @inline(__always)
    private func write(_ value: (inout JSON.Writer) -> Void) throws {
      if handle.activate() {
        value(&handle.state.pointee.writer)
        handle.state.pointee.frames.last.pointee.count &+= 1
      } else {
        try handle.adopt { _, _ in value(&handle.state.pointee.writer) }
      }
    }

    func encodeNil() throws { try write { $0.writeNull() } }

    func encode<T: Encodable>(_ value: T) throws {
      if handle.activate() {
        let index = handle.state.pointee.frames.last.pointee.count
        try handle.encode(value, at: .index(index), entry: handle.mark)
        handle.countElement()
      } else {
        try handle.adopt { try handle.encode(value, at: $0, entry: $1) }
      }
    }

    func nestedContainer<NestedKey: CodingKey>(
      keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
      handle.nestedElement(.object).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
      JSON.UnkeyedContainer(handle: handle.nestedElement(.array))
    }

    func superEncoder() -> any Swift.Encoder {
      JSON.EncodingScope(handle: handle.nestedElement(.empty))
    }
  }
}

extension JSON.UnkeyedContainer {
  func encode(_ value: Bool) throws { try write { $0.write(value) } }
  func encode(_ value: String) throws { try write { $0.write(value) } }
  func encode(_ value: Int) throws { try write { $0.write(value) } }
  func encode(_ value: Int8) throws { try write { $0.write(value) } }
  func encode(_ value: Int16) throws { try write { $0.write(value) } }
  func encode(_ value: Int32) throws { try write { $0.write(value) } }
  func encode(_ value: Int64) throws { try write { $0.write(value) } }
  func encode(_ value: Int128) throws { try write { $0.write(value) } }
  func encode(_ value: UInt) throws { try write { $0.write(value) } }
  func encode(_ value: UInt8) throws { try write { $0.write(value) } }
  func encode(_ value: UInt16) throws { try write { $0.write(value) } }
  func encode(_ value: UInt32) throws { try write { $0.write(value) } }
  func encode(_ value: UInt64) throws { try write { $0.write(value) } }
  func encode(_ value: UInt128) throws { try write { $0.write(value) } }

  func encode(_ value: Double) throws {
    if value.isFinite {
      try write { $0.writeFinite(value) }
    } else if handle.activate() {
      try handle.write(value, at: .index(count))
      handle.countElement()
    } else {
      try handle.adopt { key, _ in try handle.write(value, at: key) }
    }
  }

  func encode(_ value: Float) throws {
    if value.isFinite {
      try write { $0.writeFinite(value) }
    } else if handle.activate() {
      try handle.write(value, at: .index(count))
      handle.countElement()
    } else {
      try handle.adopt { key, _ in try handle.write(value, at: key) }
    }
  }
}
