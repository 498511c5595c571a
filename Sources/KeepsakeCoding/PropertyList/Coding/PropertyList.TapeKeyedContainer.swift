extension PropertyList {
  /// The dictionary of a tape.
  struct TapeKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    /// Where the dictionary is; the cache of containers owns it as long as there is the container.
    let cell: UnsafeMutablePointer<TapeCell>

    @inline(__always) var values: TapeValues { cell.pointee.values }
    @inline(__always) private var index: Int { cell.pointee.index }

    var codingPath: [any CodingKey] { values.state.pointee.tape.path(to: index) }

    var allKeys: [Key] {
      let (state, index) = (values.state, index)
      var keys: [Key] = []
      var key = index + 1
      while key < state.pointee.tape.entries[index].length {
        if !state.pointee.tape.isSuperseded(key),
          let key = Key(stringValue: state.pointee.tape.text(of: state.pointee.tape.entries[key]))
        {
          keys.append(key)
        }
        key = state.pointee.tape.end(of: key + 1)
      }
      return keys
    }

    func contains(_ key: Key) -> Bool { find(key) != nil }

    // MARK: Values

    @inline(__always)
    private func find(_ key: Key) -> Int? {
      values.state.pointee.tape.value(of: key.stringValue, in: index)
    }

    @inline(__always)
    func require(_ key: Key) throws -> Int {
      guard let value = find(key) else { throw values.missing(key, in: index) }
      return value
    }

    /// The value of a key, if there is one that is not null.
    @inline(__always)
    func findValue(_ key: Key) -> Int? {
      guard let value = find(key), !values.state.pointee.tape.isNull(value) else { return nil }
      return value
    }

    func decodeNil(forKey key: Key) throws -> Bool {
      values.state.pointee.tape.isNull(try require(key))
    }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
      try values.boolean(at: require(key))
    }
    func decode(_ type: String.Type, forKey key: Key) throws -> String {
      try values.string(at: require(key))
    }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
      try values.double(at: require(key))
    }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
      try values.float(at: require(key))
    }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
      try values.value(type, at: require(key))
    }

    // MARK: Values that may be missing

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
      guard let value = findValue(key) else { return nil }
      return try values.boolean(at: value)
    }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
      guard let value = findValue(key) else { return nil }
      return try values.string(at: value)
    }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
      guard let value = findValue(key) else { return nil }
      return try values.double(at: value)
    }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
      guard let value = findValue(key) else { return nil }
      return try values.float(at: value)
    }
    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
      guard let value = findValue(key) else { return nil }
      return try values.value(type, at: value)
    }

    // MARK: Containers

    func nestedContainer<NestedKey: CodingKey>(
      keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
      try values.container(at: require(key), keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      try TapeUnkeyedContainer(values.storage, require(key))
    }

    func superDecoder() throws -> any Swift.Decoder { superDecoder(AnyCodingKey.superKey) }

    func superDecoder(forKey key: Key) throws -> any Swift.Decoder { superDecoder(key) }

    /// As Foundation's: a superclass that has nothing in the file can find that itself.
    private func superDecoder(_ key: any CodingKey) -> any Swift.Decoder {
      guard let value = values.state.pointee.tape.value(of: key.stringValue, in: index) else {
        return MissingDecoder(codingPath: codingPath + [key], storage: values.storage)
      }
      return values.decoder(at: value)
    }
  }
}
