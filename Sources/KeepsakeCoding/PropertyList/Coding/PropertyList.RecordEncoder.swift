#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PropertyList {
  /// What a value is encoded to: a record.
  struct RecordEncoder: Swift.Encoder {
    let storage: RecordStorage
    let record: Int

    var codingPath: [any CodingKey] { storage.records.pointee.path(to: record) }
    var userInfo: [CodingUserInfoKey: Any] { storage.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
      storage.open(record, .dictionary)
      return KeyedEncodingContainer(RecordKeyedContainer(storage: storage, record: record))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
      storage.open(record, .array)
      return RecordUnkeyedContainer(storage: storage, record: record)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }
  }
}

extension PropertyList.RecordEncoder: SingleValueEncodingContainer {
  /// The record, which must not have a value.
  @inline(__always)
  var vacant: Int {
    precondition(
      storage.records.pointee.records[record].kind == .none,
      "a value encodes itself a second time")
    return record
  }

  func encodeNil() throws {
    storage.records.pointee.set(vacant, text: PropertyList.RecordStorage.null)
  }
  func encode(_ value: Bool) throws {
    storage.records.pointee.set(vacant, value ? .true : .false)
  }
  func encode(_ value: String) throws { storage.records.pointee.set(vacant, text: value) }
  func encode(_ value: Double) throws { storage.set(vacant, double: value) }
  func encode(_ value: Float) throws { storage.set(vacant, float: value) }

  @inline(__always)
  func integer<T: FixedWidthInteger & Encodable>(_ value: T) throws {
    try storage.set(vacant, integer: value)
  }

  func encode<T: Encodable>(_ value: T) throws { try storage.set(vacant, value: value) }
}
