extension PropertyList {
  /// What a value is encoded to: a record.
  struct RecordEncoder: Swift.Encoder {
    let handle: RecordHandle

    var codingPath: [any CodingKey] { handle.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { handle.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
      handle.open(.dictionary)
      return handle.container(keyedBy: type)
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
      handle.open(.array)
      return RecordUnkeyedContainer(handle: handle)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }
  }
}

extension PropertyList.RecordEncoder: SingleValueEncodingContainer {
  /// Sets the record's value, which it must not have.
  @inline(__always)
  private func put(_ set: (PropertyList.RecordHandle) throws -> Void) rethrows {
    guard handle.isCurrent else { return }
    precondition(
      handle.state.pointee.records.records[handle.record].kind == .none,
      "a value encodes itself a second time")
    try set(handle)
  }

  func encodeNil() throws { put { $0.setNull() } }
  func encode(_ value: Bool) throws { put { $0.set(value) } }
  func encode(_ value: String) throws { put { $0.set(value) } }
  func encode(_ value: Double) throws { put { $0.set(value) } }
  func encode(_ value: Float) throws { put { $0.set(value) } }

  @inline(__always)
  func integer<T: FixedWidthInteger & Encodable>(_ value: T) throws {
    try put { try $0.set(integer: value) }
  }

  func encode<T: Encodable>(_ value: T) throws { try put { try $0.set(value: value) } }
}
