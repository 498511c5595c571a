import KeepsakeBase

/// The object that a keyed container is for.
struct KeyedCell: ContainerCell {
  /// Kept, so that the values are.
  var storage: TapeStorage?
  var values: TapeValues
  var object: Int
  /// The number of the keys' type.
  let keyType: UInt32
  /// The names of the keys.
  var texts: KeyTexts?
  /// Where the object's keys are.
  var directory = KeyDirectory()
  /// Which keys of the object were asked for, a bit for each byte.
  var asked: UInt64 = 0

  /// Begins to be for another object.
  @inline(__always) mutating func begin(_ object: Int) {
    self.object = object
    asked = 0
    directory.forget()
  }

  func free() {
    texts?.free()
    directory.free()
  }
}

/// The values of an object, by the keys of a type.
struct KeyedValues<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let reference: CellReference<KeyedCell>

  private var cell: UnsafeMutablePointer<KeyedCell> {
    @inline(__always) get { reference.pointer }
  }

  private var values: TapeValues { @inline(__always) get { cell.pointee.values } }
  private var object: Int { @inline(__always) get { cell.pointee.object } }

  var codingPath: [any CodingKey] { values.path(to: object) }

  var allKeys: [Key] {
    // Cases of enumerations are objects with one key: they need neither list nor set of names.
    if let name = values.onlyKey(of: object) {
      guard let key = Key(stringValue: name) else { return [] }
      return [key]
    }
    return values.keys(of: object).compactMap { Key(stringValue: $0) }
  }

  func contains(_ key: Key) -> Bool { values.look(object, key) >= 0 }

  /// The value that a key must have.
  @inline(__always) func value(_ key: Key) throws -> Int {
    let index = cell.find(key)
    if index < 0 { throw values.keyNotFound(key, in: object) }
    return index
  }

  /// The value that a key may have; -1 if there is none, or null.
  @inline(__always) func optional(_ key: Key) -> Int {
    let index = cell.find(key)
    return index >= 0 && values.isNull(index) ? -1 : index
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    let index = values.look(object, key)
    if index < 0 { throw values.keyNotFound(key, in: object) }
    return values.isNull(index)
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try values.decode(type, at: value(key))
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    let index = optional(key)
    return index < 0 ? nil : try values.decode(type, at: index)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try values.decoder(at: value(key)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try values.decoder(at: value(key)).unkeyedContainer()
  }

  func superDecoder() -> any Swift.Decoder { superDecoder(AnyCodingKey.superKey) }

  func superDecoder(forKey key: Key) -> any Swift.Decoder { superDecoder(key) }

  /// A decoder of null where the key is missing, as with Foundation.
  private func superDecoder(_ key: some CodingKey) -> any Swift.Decoder {
    let index = values.find(object, key)
    return values.decoder(at: index < 0 ? values.absence(of: key, in: object) : index)
  }
}

extension UnsafeMutablePointer<KeyedCell> {
  /// The index of a key's value; -1 if the object has no such key.
  @inline(__always)
  fileprivate func find<Key: CodingKey>(_ key: Key) -> Int {
    guard let texts = pointee.texts else { return pointee.values.find(pointee.object, key) }
    let byte = texts.byte(of: key)
    guard let name = texts.text(of: byte, in: pointee.values.state.pointee.coding) else {
      return findNew(key, byte)
    }
    return find(KeyTexts.Entry.bytes(of: name), byte)
  }

  @inline(__always)
  private func find(_ name: UnsafeBufferPointer<UInt8>, _ byte: Int) -> Int {
    let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: byte)
    // Where a key was asked for before, an equal one that follows does not count.
    let isNew = pointee.asked & bit == 0
    if isNew {
      pointee.asked |= bit
      let value = pointee.values.findNext(pointee.object, name)
      if value >= 0 { return value }
    }
    return findElsewhere(name, byte, isNew)
  }

  @inline(never)
  private func findElsewhere(
    _ name: UnsafeBufferPointer<UInt8>, _ byte: Int, _ isNew: Bool
  ) -> Int {
    let (values, object) = (pointee.values, pointee.object)
    if values.state.pointee.isDirect,
      let value = pointee.directory.find(name, byte, of: object, in: values.state.pointee.tape),
      value >= 0 || name.isASCII
    {
      return value
    }
    return values.findElsewhere(object, name, isNew: isNew)
  }

  @inline(never)
  private func findNew<Key: CodingKey>(_ key: Key, _ byte: Int) -> Int {
    var name = key.stringValue
    return name.withUTF8 { name in
      let coding = pointee.values.state.pointee.coding
      // Who has kept the container asks seldom.
      if coding != 0 { pointee.texts?.note(byte, name, hash: nil, in: coding) }
      return find(name, byte)
    }
  }
}

// What follows is one method for each type that the protocol names.
extension KeyedValues {
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try values.bool(value(key))
  }
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    let index = optional(key)
    return index < 0 ? nil : try values.bool(index)
  }
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try values.string(value(key))
  }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    let index = optional(key)
    return index < 0 ? nil : try values.string(index)
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try values.double(value(key))
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    let index = optional(key)
    return index < 0 ? nil : try values.double(index)
  }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try values.float(value(key))
  }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    let index = optional(key)
    return index < 0 ? nil : try values.float(index)
  }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    try values.integer(type, value(key))
  }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    let index = optional(key)
    return index < 0 ? nil : try values.integer(type, index)
  }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
    try values.integer(type, value(key))
  }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
    let index = optional(key)
    return index < 0 ? nil : try values.integer(type, index)
  }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
    try values.integer(type, value(key))
  }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
    let index = optional(key)
    return index < 0 ? nil : try values.integer(type, index)
  }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
    try values.integer(type, value(key))
  }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
    let index = optional(key)
    return index < 0 ? nil : try values.integer(type, index)
  }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    try values.integer(type, value(key))
  }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    let index = optional(key)
    return index < 0 ? nil : try values.integer(type, index)
  }
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try values.integer(type, value(key))
  }
  func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
    let index = optional(key)
    return index < 0 ? nil : try values.integer(type, index)
  }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
    try values.integer(type, value(key))
  }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
    let index = optional(key)
    return index < 0 ? nil : try values.integer(type, index)
  }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
    try values.integer(type, value(key))
  }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
    let index = optional(key)
    return index < 0 ? nil : try values.integer(type, index)
  }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    try values.integer(type, value(key))
  }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
    let index = optional(key)
    return index < 0 ? nil : try values.integer(type, index)
  }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    try values.integer(type, value(key))
  }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
    let index = optional(key)
    return index < 0 ? nil : try values.integer(type, index)
  }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
    try values.integer(type, value(key))
  }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
    let index = optional(key)
    return index < 0 ? nil : try values.integer(type, index)
  }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try values.integer(type, value(key))
  }
  func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
    let index = optional(key)
    return index < 0 ? nil : try values.integer(type, index)
  }
}
