/// Encodes nothing; it may write down a script for a ``FloorDecoder``.
struct FloorEncoder: Encoder, SingleValueEncodingContainer {
  let script: UnsafeMutablePointer<FloorScript>

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    let place = script.pointee.keys.all.count
    if script.pointee.isRecording { script.pointee.keys.all.append([]) }
    return KeyedEncodingContainer(FloorKeyedSink(script: script, place: place))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    let place = script.pointee.counts.all.count
    if script.pointee.isRecording { script.pointee.counts.all.append(0) }
    return FloorUnkeyedSink(script: script, place: place)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() { note(false) }
  func encode(_ value: Bool) {
    if script.pointee.isRecording { script.pointee.flags.all.append(value) }
  }
  func encode(_ value: String) {
    if script.pointee.isRecording { script.pointee.strings.all.append(value) }
  }
  func encode(_ value: Double) {
    if script.pointee.isRecording { script.pointee.doubles.all.append(value) }
  }
  func encode(_ value: Int) {
    if script.pointee.isRecording { script.pointee.integers.all.append(value) }
  }
  func encode<T: Encodable>(_ value: T) throws { try value.encode(to: self) }

  /// Notes whether there is a value.
  func note(_ isPresent: Bool) {
    if script.pointee.isRecording { script.pointee.presences.all.append(isPresent) }
  }
}

/// Where the values of an object go.
struct FloorKeyedSink<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let script: UnsafeMutablePointer<FloorScript>
  let place: Int

  var codingPath: [any CodingKey] { [] }

  /// Where the value of a key goes.
  private func sink(_ key: Key) -> FloorEncoder {
    if script.pointee.isRecording { script.pointee.keys.all[place].append(key.stringValue) }
    return FloorEncoder(script: script)
  }

  func encodeNil(forKey key: Key) { sink(key).encodeNil() }
  func encode(_ value: Bool, forKey key: Key) { sink(key).encode(value) }
  func encode(_ value: String, forKey key: Key) { sink(key).encode(value) }
  func encode(_ value: Double, forKey key: Key) { sink(key).encode(value) }
  func encode(_ value: Int, forKey key: Key) { sink(key).encode(value) }
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try value.encode(to: sink(key))
  }

  func encodeIfPresent(_ value: Bool?, forKey key: Key) {
    sink(key).note(value != nil)
    if let value { encode(value, forKey: key) }
  }
  func encodeIfPresent(_ value: String?, forKey key: Key) {
    sink(key).note(value != nil)
    if let value { encode(value, forKey: key) }
  }
  func encodeIfPresent(_ value: Double?, forKey key: Key) {
    sink(key).note(value != nil)
    if let value { encode(value, forKey: key) }
  }
  func encodeIfPresent(_ value: Int?, forKey key: Key) {
    sink(key).note(value != nil)
    if let value { encode(value, forKey: key) }
  }
  func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
    sink(key).note(value != nil)
    if let value { try encode(value, forKey: key) }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    sink(key).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    sink(key).unkeyedContainer()
  }
  func superEncoder() -> any Encoder { FloorEncoder(script: script) }
  func superEncoder(forKey key: Key) -> any Encoder { sink(key) }
}

/// Where the elements of an array go.
struct FloorUnkeyedSink: UnkeyedEncodingContainer {
  let script: UnsafeMutablePointer<FloorScript>
  let place: Int
  var count = 0

  var codingPath: [any CodingKey] { [] }

  private mutating func sink() -> FloorEncoder {
    count &+= 1
    if script.pointee.isRecording { script.pointee.counts.all[place] = count }
    return FloorEncoder(script: script)
  }

  mutating func encodeNil() { sink().encodeNil() }
  mutating func encode(_ value: Bool) { sink().encode(value) }
  mutating func encode(_ value: String) { sink().encode(value) }
  mutating func encode(_ value: Double) { sink().encode(value) }
  mutating func encode(_ value: Int) { sink().encode(value) }
  mutating func encode<T: Encodable>(_ value: T) throws { try value.encode(to: sink()) }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    sink().container(keyedBy: type)
  }
  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    sink().unkeyedContainer()
  }
  mutating func superEncoder() -> any Encoder { sink() }
}
