extension PropertyList {
  /// The dictionary of a tape.
  struct TapeKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let storage: TapeStorage
    let index: Int

    init(_ storage: TapeStorage, _ index: Int) throws {
      guard storage.tape.pointee.kind(index) == .dictionary else {
        throw storage.mismatch([String: Any].self, at: index)
      }
      self.storage = storage
      self.index = index
    }

    var codingPath: [any CodingKey] { storage.tape.pointee.path(to: index) }

    var allKeys: [Key] {
      let tape = storage.tape
      var keys: [Key] = []
      var key = index + 1
      while key < tape.pointee.entries[index].length {
        if !tape.pointee.isSuperseded(key),
          let key = Key(stringValue: tape.pointee.text(of: tape.pointee.entries[key]))
        {
          keys.append(key)
        }
        key = tape.pointee.end(of: key + 1)
      }
      return keys
    }

    func contains(_ key: Key) -> Bool { find(key) != nil }

    // MARK: Values

    @inline(__always)
    private func find(_ key: Key) -> Int? {
      storage.tape.pointee.value(of: key.stringValue, in: index)
    }

    @inline(__always)
    func require(_ key: Key) throws -> Int {
      guard let value = find(key) else { throw storage.missing(key, in: index) }
      return value
    }

    /// The value of a key, if there is one that is not null.
    @inline(__always)
    func findValue(_ key: Key) -> Int? {
      guard let value = find(key), !storage.tape.pointee.isNull(value) else { return nil }
      return value
    }

    func decodeNil(forKey key: Key) throws -> Bool {
      storage.tape.pointee.isNull(try require(key))
    }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
      try storage.boolean(at: require(key))
    }
    func decode(_ type: String.Type, forKey key: Key) throws -> String {
      try storage.string(at: require(key))
    }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
      try storage.double(at: require(key))
    }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
      try storage.float(at: require(key))
    }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
      try storage.value(type, at: require(key))
    }

    // MARK: Values that may be missing

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
      guard let value = findValue(key) else { return nil }
      return try storage.boolean(at: value)
    }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
      guard let value = findValue(key) else { return nil }
      return try storage.string(at: value)
    }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
      guard let value = findValue(key) else { return nil }
      return try storage.double(at: value)
    }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
      guard let value = findValue(key) else { return nil }
      return try storage.float(at: value)
    }
    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
      guard let value = findValue(key) else { return nil }
      return try storage.value(type, at: value)
    }

    // MARK: Containers

    func nestedContainer<NestedKey: CodingKey>(
      keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
      KeyedDecodingContainer(try TapeKeyedContainer<NestedKey>(storage, require(key)))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      try TapeUnkeyedContainer(storage, require(key))
    }

    func superDecoder() throws -> any Swift.Decoder { superDecoder(PathKey("super")) }

    func superDecoder(forKey key: Key) throws -> any Swift.Decoder { superDecoder(key) }

    /// As Foundation's: a superclass that has nothing in the file can find that itself.
    private func superDecoder(_ key: any CodingKey) -> any Swift.Decoder {
      guard let value = storage.tape.pointee.value(of: key.stringValue, in: index) else {
        return MissingDecoder(codingPath: codingPath + [key], storage: storage)
      }
      return TapeDecoder(storage: storage, index: value)
    }
  }
}
