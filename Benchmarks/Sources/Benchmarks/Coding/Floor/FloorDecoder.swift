/// Decodes nothing: it gives the answers of a script.
struct FloorDecoder: Decoder, SingleValueDecodingContainer {
  let script: UnsafeMutablePointer<FloorScript>

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(FloorValues(script: script, keys: script.pointee.keys.next()))
  }

  func unkeyedContainer() -> any UnkeyedDecodingContainer {
    FloorElements(script: script, number: script.pointee.counts.next())
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { !script.pointee.presences.next() }
  func decode(_ type: Bool.Type) -> Bool { script.pointee.flags.next() }
  func decode(_ type: String.Type) -> String { script.pointee.strings.next() }
  func decode(_ type: Double.Type) -> Double { script.pointee.doubles.next() }
  func decode(_ type: Int.Type) -> Int { script.pointee.integers.next() }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try T(from: self) }
}

/// The values of an object.
struct FloorValues<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let script: UnsafeMutablePointer<FloorScript>
  let keys: [String]

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { keys.compactMap { Key(stringValue: $0) } }
  private var decoder: FloorDecoder { FloorDecoder(script: script) }

  func contains(_ key: Key) -> Bool { true }
  func decodeNil(forKey key: Key) -> Bool { !script.pointee.presences.next() }
  func decode(_ type: Bool.Type, forKey key: Key) -> Bool { script.pointee.flags.next() }
  func decode(_ type: String.Type, forKey key: Key) -> String { script.pointee.strings.next() }
  func decode(_ type: Double.Type, forKey key: Key) -> Double { script.pointee.doubles.next() }
  func decode(_ type: Int.Type, forKey key: Key) -> Int { script.pointee.integers.next() }
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try T(from: decoder) }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) -> Bool? {
    script.pointee.presences.next() ? script.pointee.flags.next() : nil
  }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) -> String? {
    script.pointee.presences.next() ? script.pointee.strings.next() : nil
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) -> Double? {
    script.pointee.presences.next() ? script.pointee.doubles.next() : nil
  }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) -> Int? {
    script.pointee.presences.next() ? script.pointee.integers.next() : nil
  }
  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    script.pointee.presences.next() ? try T(from: decoder) : nil
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedDecodingContainer<Nested> {
    decoder.container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
    decoder.unkeyedContainer()
  }
  func superDecoder() -> any Decoder { decoder }
  func superDecoder(forKey key: Key) -> any Decoder { decoder }
}

/// The elements of an array.
struct FloorElements: UnkeyedDecodingContainer {
  let script: UnsafeMutablePointer<FloorScript>
  let number: Int
  var currentIndex = 0

  var codingPath: [any CodingKey] { [] }
  var count: Int? { number }
  var isAtEnd: Bool { currentIndex == number }

  private mutating func next() -> FloorDecoder {
    currentIndex &+= 1
    return FloorDecoder(script: script)
  }

  mutating func decodeNil() -> Bool { false }
  mutating func decode(_ type: Bool.Type) -> Bool { next().decode(type) }
  mutating func decode(_ type: String.Type) -> String { next().decode(type) }
  mutating func decode(_ type: Double.Type) -> Double { next().decode(type) }
  mutating func decode(_ type: Int.Type) -> Int { next().decode(type) }
  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try T(from: next()) }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedDecodingContainer<Nested> {
    next().container(keyedBy: type)
  }
  mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer {
    next().unkeyedContainer()
  }
  mutating func superDecoder() -> any Decoder { next() }
}
