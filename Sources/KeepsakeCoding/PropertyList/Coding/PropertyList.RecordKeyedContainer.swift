extension PropertyList {
  /// A dictionary among records.
  struct RecordKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let storage: RecordStorage
    let record: Int

    var codingPath: [any CodingKey] { storage.records.pointee.path(to: record) }

    /// Adds an element, which counts once it has its value.
    @inline(__always)
    private func add(_ key: Key, _ set: (Int) throws -> Void) rethrows {
      let element = storage.records.pointee.add(to: record, key: key.stringValue)
      try set(element)
      storage.records.pointee.link(element)
    }

    func encodeNil(forKey key: Key) throws {
      add(key) { storage.records.pointee.set($0, text: RecordStorage.null) }
    }
    func encode(_ value: Bool, forKey key: Key) throws {
      add(key) { storage.records.pointee.set($0, value ? .true : .false) }
    }
    func encode(_ value: String, forKey key: Key) throws {
      add(key) { storage.records.pointee.set($0, text: value) }
    }
    func encode(_ value: Double, forKey key: Key) throws {
      add(key) { storage.set($0, double: value) }
    }
    func encode(_ value: Float, forKey key: Key) throws {
      add(key) { storage.set($0, float: value) }
    }
    @inline(__always)
    func integer<T: FixedWidthInteger & Encodable>(_ value: T, _ key: Key) throws {
      try add(key) { try storage.set($0, integer: value) }
    }
    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
      try add(key) { try storage.set($0, value: value) }
    }

    // MARK: Containers

    func nestedContainer<NestedKey: CodingKey>(
      keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
      let element = storage.openElement(of: record, key: key.stringValue, .dictionary)
      return KeyedEncodingContainer(
        RecordKeyedContainer<NestedKey>(storage: storage, record: element))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      let element = storage.openElement(of: record, key: key.stringValue, .array)
      return RecordUnkeyedContainer(storage: storage, record: element)
    }

    func superEncoder() -> any Swift.Encoder { superEncoder("super") }
    func superEncoder(forKey key: Key) -> any Swift.Encoder { superEncoder(key.stringValue) }

    private func superEncoder(_ key: String) -> any Swift.Encoder {
      let element = storage.records.pointee.add(to: record, key: key)
      storage.records.pointee.link(element)
      return RecordEncoder(storage: storage, record: element)
    }
  }
}
