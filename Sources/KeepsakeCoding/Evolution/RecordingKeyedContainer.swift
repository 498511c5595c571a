/// The keyed container of a ``RecordingDecoder``.
struct RecordingKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let base: KeyedDecodingContainer<Key>
  let use: KeyUse

  var codingPath: [any CodingKey] { base.codingPath }

  var allKeys: [Key] { base.allKeys }

  func contains(_ key: Key) -> Bool { base.contains(key) }

  func decodeNil(forKey key: Key) throws -> Bool { try base.decodeNil(forKey: key) }

  /// Only a key that was decoded is recorded: an unreadable value that the type ignores is unknown.
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    if isDecodedWhole(type) {
      let value = try base.decode(type, forKey: key)
      _ = use.member(key)
      return value
    }
    let recorded = try base.decode(Recorded<T>.self, forKey: key)
    use.member(key).add(recorded.use)
    return recorded.value
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    let container = try base.nestedContainer(keyedBy: type, forKey: key)
    let member = use.member(key)
    member.noteContainer()
    return KeyedDecodingContainer(
      RecordingKeyedContainer<NestedKey>(base: container, use: member))
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    RecordingUnkeyedContainer(
      base: try base.nestedUnkeyedContainer(forKey: key), use: use.member(key))
  }

  func superDecoder() throws -> any Decoder {
    RecordingDecoder(base: try base.superDecoder(), use: use.member(AnyCodingKey.superKey))
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    RecordingDecoder(base: try base.superDecoder(forKey: key), use: use.member(key))
  }
}
