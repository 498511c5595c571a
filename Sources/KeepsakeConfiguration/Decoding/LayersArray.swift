#if Configuration
/// The elements of an array, all of which come from one layer.
struct LayersArray: UnkeyedDecodingContainer {
  let session: DecodingSession
  let elements: [DecodingNode]
  let codingPath: [any CodingKey]
  private(set) var currentIndex = 0

  init(session: DecodingSession, elements: [DecodingNode], codingPath: [any CodingKey]) {
    self.session = session
    self.elements = elements
    self.codingPath = codingPath
  }

  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex == elements.count }

  func decodeNil() -> Bool { isAtEnd }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let value = try session.decode(type, at: try element(), codingPath)
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try superDecoder().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try superDecoder().unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = LayersDecoder(session, try element(), codingPath)
    currentIndex += 1
    return decoder
  }

  private func element() throws -> DecodingNode {
    if !isAtEnd { return elements[currentIndex] }
    throw DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: codingPath,
        debugDescription: "the array has no more than \(elements.count) elements"))
  }
}
#endif
