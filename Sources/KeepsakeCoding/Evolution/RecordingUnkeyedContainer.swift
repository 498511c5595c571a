/// The unkeyed container of a ``RecordingDecoder``.
struct RecordingUnkeyedContainer: UnkeyedDecodingContainer {
  private var base: any UnkeyedDecodingContainer
  private let use: KeyUse

  init(base: any UnkeyedDecodingContainer, use: KeyUse) {
    self.base = base
    self.use = use
  }

  var codingPath: [any CodingKey] { base.codingPath }
  var count: Int? { base.count }
  var isAtEnd: Bool { base.isAtEnd }
  var currentIndex: Int { base.currentIndex }

  mutating func decodeNil() throws -> Bool { try base.decodeNil() }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    if isDecodedWhole(type) { return try base.decode(type) }
    let index = currentIndex
    let recorded = try base.decode(Recorded<T>.self)
    use.element(index).add(recorded.use)
    return recorded.value
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    let index = currentIndex
    let container = try base.nestedContainer(keyedBy: type)
    let element = use.element(index)
    element.noteContainer()
    return KeyedDecodingContainer(
      RecordingKeyedContainer<NestedKey>(base: container, use: element))
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let index = currentIndex
    return RecordingUnkeyedContainer(
      base: try base.nestedUnkeyedContainer(), use: use.element(index))
  }

  mutating func superDecoder() throws -> any Decoder {
    let index = currentIndex
    return RecordingDecoder(base: try base.superDecoder(), use: use.element(index))
  }
}
