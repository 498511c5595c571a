/// A decoder that records which keys are decoded, and decodes with another decoder.
struct RecordingDecoder: Decoder {
  let base: any Decoder
  let use: KeyUse

  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let container = try base.container(keyedBy: type)
    use.noteContainer()
    return KeyedDecodingContainer(RecordingKeyedContainer(base: container, use: use))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    RecordingUnkeyedContainer(base: try base.unkeyedContainer(), use: use)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    RecordingSingleValueContainer(base: try base.singleValueContainer(), use: use)
  }
}

/// The single value container of a ``RecordingDecoder``.
private struct RecordingSingleValueContainer: SingleValueDecodingContainer {
  let base: any SingleValueDecodingContainer
  let use: KeyUse

  var codingPath: [any CodingKey] { base.codingPath }

  func decodeNil() -> Bool { base.decodeNil() }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    if isDecodedWhole(type) { return try base.decode(type) }
    let recorded = try base.decode(Recorded<T>.self)
    use.add(recorded.use)
    return recorded.value
  }
}
