import KeepsakeCoding

/// The keys of a dictionary, of all layers that have it.
struct LayersDictionary<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let session: DecodingSession
  let node: DecodingNode
  let codingPath: [any CodingKey]

  var allKeys: [Key] {
    switch node {
    case .name(let name): session.children(of: name).compactMap { Key(stringValue: $0.spelled) }
    case .value(.dictionary(let values), _): values.keys.compactMap(Key.init)
    default: []
    }
  }

  func contains(_ key: Key) -> Bool { !session.isNothing(child(key)) }

  func decodeNil(forKey key: Key) -> Bool { !contains(key) }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try session.decode(type, at: child(key), codingPath + [key])
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    // Asked for, even if it is not there: what is set for it later must be of the type.
    try session.decode(T?.self, at: child(key), codingPath + [key])
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try decoder(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder {
    LayersDecoder(session, node.child("super"), codingPath)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder { decoder(key) }

  private func child(_ key: Key) -> DecodingNode { node.child(key.stringValue) }

  private func decoder(_ key: Key) -> LayersDecoder {
    LayersDecoder(session, child(key), codingPath + [key])
  }
}
