/// The values of an array, one after another.
///
/// Three words at most, so that it needs no box of its own as an existential value.
struct UnkeyedValues: UnkeyedDecodingContainer {
  let storage: TapeStorage
  private let array: UInt32
  /// The next element's row.
  private var position: UInt32
  private var number: UInt32 = 0

  init(storage: TapeStorage, array: Int) {
    self.storage = storage
    self.array = UInt32(truncatingIfNeeded: array)
    position = UInt32(truncatingIfNeeded: array + Tape.arrayHeader)
  }

  var codingPath: [any CodingKey] { storage.values.path(to: Int(array)) }
  var count: Int? { storage.values.state.pointee.tape.elementCount(Int(array)) }
  var isAtEnd: Bool { Int(position) >= storage.values.state.pointee.tape.end(Int(array)) }
  var currentIndex: Int { Int(number) }

  /// The element that is next.
  @inline(__always) private func element(_ type: Any.Type) throws -> Int {
    if isAtEnd { throw storage.values.endOfArray(type, Int(array), currentIndex) }
    return Int(position)
  }

  /// Goes on to the element after the next, once that was decoded.
  @inline(__always) private mutating func advance() {
    position = UInt32(truncatingIfNeeded: storage.values.state.pointee.tape.next(Int(position)))
    number &+= 1
  }

  @inline(__always)
  private mutating func take<T>(_ type: T.Type, _ decode: (TapeValues, Int) throws -> T) throws -> T
  {
    let value = try decode(storage.values, element(type))
    advance()
    return value
  }

  mutating func decodeNil() throws -> Bool {
    let isNull = storage.values.isNull(try element(Never.self))
    if isNull { advance() }
    return isNull
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let value = try storage.values.decode(type, at: element(type))
    advance()
    return value
  }

  mutating func decodeIfPresent<T: Decodable>(_ type: T.Type) throws -> T? {
    if try isAtEnd || decodeNil() { return nil }
    return try decode(type)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    let index = try element(KeyedDecodingContainer<Nested>.self)
    let container = try storage.values.decoder(at: index).container(keyedBy: type)
    advance()
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let index = try element((any UnkeyedDecodingContainer).self)
    let container = try storage.values.decoder(at: index).unkeyedContainer()
    advance()
    return container
  }

  mutating func superDecoder() throws -> any Swift.Decoder {
    let index = try element((any Swift.Decoder).self)
    advance()
    return storage.values.decoder(at: index)
  }
}

// What follows is one method for each type that the protocol names.
extension UnkeyedValues {
  mutating func decode(_ type: Bool.Type) throws -> Bool {
    try take(type) { try $0.bool($1) }
  }
  mutating func decode(_ type: String.Type) throws -> String {
    try take(type) { try $0.string($1) }
  }
  mutating func decode(_ type: Double.Type) throws -> Double {
    try take(type) { try $0.double($1) }
  }
  mutating func decode(_ type: Float.Type) throws -> Float {
    try take(type) { try $0.float($1) }
  }
  mutating func decode(_ type: Int.Type) throws -> Int {
    try take(type) { try $0.integer(type, $1) }
  }
  mutating func decode(_ type: Int8.Type) throws -> Int8 {
    try take(type) { try $0.integer(type, $1) }
  }
  mutating func decode(_ type: Int16.Type) throws -> Int16 {
    try take(type) { try $0.integer(type, $1) }
  }
  mutating func decode(_ type: Int32.Type) throws -> Int32 {
    try take(type) { try $0.integer(type, $1) }
  }
  mutating func decode(_ type: Int64.Type) throws -> Int64 {
    try take(type) { try $0.integer(type, $1) }
  }
  mutating func decode(_ type: Int128.Type) throws -> Int128 {
    try take(type) { try $0.integer(type, $1) }
  }
  mutating func decode(_ type: UInt.Type) throws -> UInt {
    try take(type) { try $0.integer(type, $1) }
  }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 {
    try take(type) { try $0.integer(type, $1) }
  }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 {
    try take(type) { try $0.integer(type, $1) }
  }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 {
    try take(type) { try $0.integer(type, $1) }
  }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 {
    try take(type) { try $0.integer(type, $1) }
  }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
    try take(type) { try $0.integer(type, $1) }
  }
}
