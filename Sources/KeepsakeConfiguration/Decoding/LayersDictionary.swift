#if Configuration
import KeepsakeCoding

/// The keys of a dictionary in all layers that contain it.
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

// The standard library's implementations do not request a value that is missing; these record its type,
// which a later override must have. The protocol has a requirement for each of these types.
extension LayersDictionary {
  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    try optional(key)
  }
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try optional(key)
  }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try optional(key)
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try optional(key)
  }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    try optional(key)
  }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try optional(key)
  }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
    try optional(key)
  }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
    try optional(key)
  }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
    try optional(key)
  }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try optional(key)
  }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
    try optional(key)
  }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
    try optional(key)
  }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
    try optional(key)
  }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
    try optional(key)
  }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
    try optional(key)
  }

  private func optional<T: Decodable>(_ key: Key) throws -> T? {
    try session.decode(T?.self, at: child(key), codingPath + [key])
  }
}
#endif
