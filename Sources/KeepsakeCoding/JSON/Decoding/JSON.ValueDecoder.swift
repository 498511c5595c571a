extension JSON {
  /// The decoder of one value of a document, as a type's `init(from:)` sees it.
  struct ValueDecoder: Swift.Decoder {
    /// Kept, so that the entries are.
    let document: Document
    let entries: Entries
    /// The value's entry; negative for one that the text does not have, which is null.
    let index: Int

    var codingPath: [any CodingKey] { entries.path(to: index) }

    var userInfo: [CodingUserInfoKey: Any] {
      entries.state.pointee.options.userInfo
    }

    func container<Key: CodingKey>(
      keyedBy type: Key.Type
    ) throws -> KeyedDecodingContainer<Key> {
      try entries.expectContainer(.object, at: index)
      return entries.keyedContainer(for: index, keyedBy: type)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
      try entries.expectContainer(.array, at: index)
      return UnkeyedValues(document: document, array: index)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    /// Decodes the value as a type says, or as a strategy does in its place.
    @inline(__always) func decode<T: Decodable>(_ type: T.Type) throws -> T {
      try entries.decode(type, at: index)
    }
  }
}

extension JSON.ValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { entries.isNull(index) }
  func decode(_ type: Bool.Type) throws -> Bool { try entries.bool(index) }
  func decode(_ type: String.Type) throws -> String { try entries.string(index) }
  func decode(_ type: Double.Type) throws -> Double { try entries.double(index) }
  func decode(_ type: Float.Type) throws -> Float { try entries.float(index) }
  func decode(_ type: Int.Type) throws -> Int { try entries.integer(type, index) }
  func decode(_ type: Int8.Type) throws -> Int8 { try entries.integer(type, index) }
  func decode(_ type: Int16.Type) throws -> Int16 { try entries.integer(type, index) }
  func decode(_ type: Int32.Type) throws -> Int32 { try entries.integer(type, index) }
  func decode(_ type: Int64.Type) throws -> Int64 { try entries.integer(type, index) }
  func decode(_ type: Int128.Type) throws -> Int128 { try entries.integer(type, index) }
  func decode(_ type: UInt.Type) throws -> UInt { try entries.integer(type, index) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try entries.integer(type, index) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try entries.integer(type, index) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try entries.integer(type, index) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try entries.integer(type, index) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try entries.integer(type, index) }
}
