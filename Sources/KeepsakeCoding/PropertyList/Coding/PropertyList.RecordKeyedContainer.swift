extension PropertyList {
  /// A dictionary among records.
  struct RecordKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    /// Where the handle is; the cache of containers owns it as long as there is the container.
    let cell: UnsafeMutablePointer<RecordHandle>

    private var handle: RecordHandle { @inline(__always) get { cell.pointee } }

    var codingPath: [any CodingKey] { handle.codingPath }

    func encodeNil(forKey key: Key) throws { handle.add(key.stringValue) { $0.setNull() } }
    func encode(_ value: Bool, forKey key: Key) throws {
      handle.add(key.stringValue) { $0.set(value) }
    }
    func encode(_ value: String, forKey key: Key) throws {
      handle.add(key.stringValue) { $0.set(value) }
    }
    func encode(_ value: Double, forKey key: Key) throws {
      handle.add(key.stringValue) { $0.set(value) }
    }
    func encode(_ value: Float, forKey key: Key) throws {
      handle.add(key.stringValue) { $0.set(value) }
    }
    @inline(__always)
    func integer<T: FixedWidthInteger & Encodable>(_ value: T, _ key: Key) throws {
      try handle.add(key.stringValue) { try $0.set(integer: value) }
    }
    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
      try handle.add(key.stringValue, value: value)
    }

    func encodeIfPresent(_ value: String?, forKey key: Key) throws {
      if let value { try encode(value, forKey: key) }
    }
    func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
      if let value { try encode(value, forKey: key) }
    }

    // MARK: Containers

    func nestedContainer<NestedKey: CodingKey>(
      keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
      handle.element(key.stringValue, .dictionary).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      RecordUnkeyedContainer(handle: handle.element(key.stringValue, .array))
    }

    func superEncoder() -> any Swift.Encoder {
      RecordEncoder(handle: handle.element("super", .none))
    }

    func superEncoder(forKey key: Key) -> any Swift.Encoder {
      RecordEncoder(handle: handle.element(key.stringValue, .none))
    }
  }
}
