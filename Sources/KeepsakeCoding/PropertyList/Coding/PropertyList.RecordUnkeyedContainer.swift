extension PropertyList {
  /// An array among records.
  struct RecordUnkeyedContainer: UnkeyedEncodingContainer {
    let storage: RecordStorage
    let record: Int

    var codingPath: [any CodingKey] { storage.records.pointee.path(to: record) }
    var count: Int { Int(storage.records.pointee.records[record].count) }

    /// Adds an element, which counts once it has its value.
    @inline(__always)
    private func add(_ set: (Int) throws -> Void) rethrows {
      let element = storage.records.pointee.addElement(to: record)
      try set(element)
      storage.records.pointee.link(element)
    }

    func encodeNil() throws {
      add { storage.records.pointee.set($0, text: RecordStorage.null) }
    }
    func encode(_ value: Bool) throws {
      add { storage.records.pointee.set($0, value ? .true : .false) }
    }
    func encode(_ value: String) throws { add { storage.records.pointee.set($0, text: value) } }
    func encode(_ value: Double) throws { add { storage.set($0, double: value) } }
    func encode(_ value: Float) throws { add { storage.set($0, float: value) } }
    @inline(__always)
    func integer<T: FixedWidthInteger & Encodable>(_ value: T) throws {
      try add { try storage.set($0, integer: value) }
    }
    func encode<T: Encodable>(_ value: T) throws { try add { try storage.set($0, value: value) } }

    func nestedContainer<NestedKey: CodingKey>(
      keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
      let element = storage.openElement(of: record, .dictionary)
      return KeyedEncodingContainer(
        RecordKeyedContainer<NestedKey>(storage: storage, record: element))
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
      RecordUnkeyedContainer(storage: storage, record: storage.openElement(of: record, .array))
    }

    func superEncoder() -> any Swift.Encoder {
      RecordEncoder(storage: storage, record: storage.openElement(of: record, .none))
    }
  }
}
