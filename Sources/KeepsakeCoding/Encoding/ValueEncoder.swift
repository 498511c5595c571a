/// The encoder that a value gets.
struct ValueEncoder: Swift.Encoder {
  let handle: EncodingHandle

  var codingPath: [any CodingKey] { handle.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { handle.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    handle.opened(.object).container(keyedBy: type)
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    UnkeyedEntries(handle: handle.opened(.array))
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    SingleEntry(handle: handle)
  }
}
