extension PropertyList {
  /// An array among records.
  struct RecordUnkeyedContainer: UnkeyedEncodingContainer {
    let handle: RecordHandle

    var codingPath: [any CodingKey] { handle.codingPath }
    var count: Int { handle.count }

    func encodeNil() throws { handle.add { $0.setNull() } }
    func encode(_ value: Bool) throws { handle.add { $0.set(value) } }
    func encode(_ value: String) throws { handle.add { $0.set(value) } }
    func encode(_ value: Double) throws { handle.add { $0.set(value) } }
    func encode(_ value: Float) throws { handle.add { $0.set(value) } }
    @inline(__always)
    func integer<T: FixedWidthInteger & Encodable>(_ value: T) throws {
      try handle.add { try $0.set(integer: value) }
    }
    func encode<T: Encodable>(_ value: T) throws { try handle.add(value: value) }

    func nestedContainer<NestedKey: CodingKey>(
      keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
      handle.element(.dictionary).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
      RecordUnkeyedContainer(handle: handle.element(.array))
    }

    func superEncoder() -> any Swift.Encoder { RecordEncoder(handle: handle.element(.none)) }
  }
}
