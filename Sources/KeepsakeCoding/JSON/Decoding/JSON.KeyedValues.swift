extension JSON {
  /// The values of an object, by the keys of a type.
  struct KeyedValues<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let document: Document
    let object: Int

    var codingPath: [any CodingKey] { document.path(to: object) }

    var allKeys: [Key] {
      document.keys(of: object).compactMap { Key(stringValue: $0) }
    }

    func contains(_ key: Key) -> Bool { document.find(object, key) >= 0 }

    /// The value that a key must have.
    @inline(__always) func value(_ key: Key) throws -> Int {
      let index = document.find(object, key)
      if index < 0 { throw document.keyNotFound(key, in: object) }
      return index
    }

    /// The value that a key may have; -1 if there is none, or null.
    @inline(__always) func optional(_ key: Key) -> Int {
      let index = document.find(object, key)
      return index >= 0 && document.isNull(index) ? -1 : index
    }

    func decodeNil(forKey key: Key) throws -> Bool { document.isNull(try value(key)) }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
      try document.decode(type, at: value(key))
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
      let index = optional(key)
      return index < 0 ? nil : try document.decode(type, at: index)
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
      try JSON.ValueDecoder(document: document, index: value(key)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      try JSON.ValueDecoder(document: document, index: value(key)).unkeyedContainer()
    }

    func superDecoder() -> any Swift.Decoder { superDecoder(PathKey.superKey) }

    func superDecoder(forKey key: Key) -> any Swift.Decoder { superDecoder(key) }

    /// A decoder of null where the key is missing, as with Foundation.
    private func superDecoder(_ key: some CodingKey) -> any Swift.Decoder {
      let index = document.find(object, key)
      return JSON.ValueDecoder(
        document: document, index: index < 0 ? document.absence(of: key, in: object) : index)
    }
  }
}

// What follows is one method for each type that the protocol names.
extension JSON.KeyedValues {
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try document.bool(value(key))
  }
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    let index = optional(key)
    return index < 0 ? nil : try document.bool(index)
  }
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try document.string(value(key))
  }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    let index = optional(key)
    return index < 0 ? nil : try document.string(index)
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try document.double(value(key))
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    let index = optional(key)
    return index < 0 ? nil : try document.double(index)
  }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try document.float(value(key))
  }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    let index = optional(key)
    return index < 0 ? nil : try document.float(index)
  }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    try document.integer(type, value(key))
  }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    let index = optional(key)
    return index < 0 ? nil : try document.integer(type, index)
  }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
    try document.integer(type, value(key))
  }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
    let index = optional(key)
    return index < 0 ? nil : try document.integer(type, index)
  }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
    try document.integer(type, value(key))
  }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
    let index = optional(key)
    return index < 0 ? nil : try document.integer(type, index)
  }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
    try document.integer(type, value(key))
  }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
    let index = optional(key)
    return index < 0 ? nil : try document.integer(type, index)
  }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    try document.integer(type, value(key))
  }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    let index = optional(key)
    return index < 0 ? nil : try document.integer(type, index)
  }
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try document.integer(type, value(key))
  }
  func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
    let index = optional(key)
    return index < 0 ? nil : try document.integer(type, index)
  }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
    try document.integer(type, value(key))
  }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
    let index = optional(key)
    return index < 0 ? nil : try document.integer(type, index)
  }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
    try document.integer(type, value(key))
  }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
    let index = optional(key)
    return index < 0 ? nil : try document.integer(type, index)
  }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    try document.integer(type, value(key))
  }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
    let index = optional(key)
    return index < 0 ? nil : try document.integer(type, index)
  }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    try document.integer(type, value(key))
  }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
    let index = optional(key)
    return index < 0 ? nil : try document.integer(type, index)
  }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
    try document.integer(type, value(key))
  }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
    let index = optional(key)
    return index < 0 ? nil : try document.integer(type, index)
  }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try document.integer(type, value(key))
  }
  func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
    let index = optional(key)
    return index < 0 ? nil : try document.integer(type, index)
  }
}
