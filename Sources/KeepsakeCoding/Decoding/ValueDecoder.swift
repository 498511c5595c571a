/// The decoder of one value, as a type's `init(from:)` sees it.
struct ValueDecoder: Swift.Decoder {
  /// Kept, so that the values are.
  let storage: TapeStorage
  let values: TapeValues
  /// The value's row; negative for one that the file does not have, which is null.
  let index: Int

  var codingPath: [any CodingKey] { values.path(to: index) }

  var userInfo: [CodingUserInfoKey: Any] {
    values.state.pointee.options.userInfo
  }

  func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    try values.expectContainer(.object, at: index)
    return values.keyedContainer(for: index, keyedBy: type)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try values.expectContainer(.array, at: index)
    return UnkeyedValues(storage: storage, array: index)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  /// Decodes the value as a type says, or as a strategy does in its place.
  @inline(__always) func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try values.decode(type, at: index)
  }
}

extension ValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { values.isNull(index) }
  func decode(_ type: Bool.Type) throws -> Bool { try values.bool(index) }
  func decode(_ type: String.Type) throws -> String { try values.string(index) }
  func decode(_ type: Double.Type) throws -> Double { try values.double(index) }
  func decode(_ type: Float.Type) throws -> Float { try values.float(index) }
  func decode(_ type: Int.Type) throws -> Int { try values.integer(type, index) }
  func decode(_ type: Int8.Type) throws -> Int8 { try values.integer(type, index) }
  func decode(_ type: Int16.Type) throws -> Int16 { try values.integer(type, index) }
  func decode(_ type: Int32.Type) throws -> Int32 { try values.integer(type, index) }
  func decode(_ type: Int64.Type) throws -> Int64 { try values.integer(type, index) }
  func decode(_ type: Int128.Type) throws -> Int128 { try values.integer(type, index) }
  func decode(_ type: UInt.Type) throws -> UInt { try values.integer(type, index) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try values.integer(type, index) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try values.integer(type, index) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try values.integer(type, index) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try values.integer(type, index) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try values.integer(type, index) }
}
