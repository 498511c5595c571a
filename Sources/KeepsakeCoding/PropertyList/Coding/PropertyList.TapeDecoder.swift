#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PropertyList {
  /// What a value is decoded from: an entry of a tape.
  struct TapeDecoder: Swift.Decoder {
    let storage: TapeStorage
    let index: Int

    var codingPath: [any CodingKey] { storage.tape.pointee.path(to: index) }
    var userInfo: [CodingUserInfoKey: Any] { storage.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
      KeyedDecodingContainer(try TapeKeyedContainer(storage, index))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
      try TapeUnkeyedContainer(storage, index)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
  }
}

extension PropertyList.TapeDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { storage.tape.pointee.isNull(index) }

  func decode(_ type: Bool.Type) throws -> Bool { try storage.boolean(at: index) }
  func decode(_ type: String.Type) throws -> String { try storage.string(at: index) }
  func decode(_ type: Double.Type) throws -> Double { try storage.double(at: index) }
  func decode(_ type: Float.Type) throws -> Float { try storage.float(at: index) }

  func decode<T: Decodable>(_ type: T.Type) throws -> T { try storage.value(type, at: index) }
}

extension PropertyList {
  /// The decoder of a superclass that has nothing in the file.
  struct MissingDecoder: Swift.Decoder, SingleValueDecodingContainer {
    let codingPath: [any CodingKey]
    let storage: TapeStorage

    var userInfo: [CodingUserInfoKey: Any] { storage.userInfo }

    private func missing(_ type: Any.Type) -> DecodingError {
      .valueNotFound(
        type,
        DecodingError.Context(
          codingPath: codingPath,
          debugDescription: "Cannot get value of \(type) -- there is none for this key."))
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
      throw missing([String: Any].self)
    }
    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw missing([Any].self) }
    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { true }
    func decode(_ type: Bool.Type) throws -> Bool { throw missing(type) }
    func decode(_ type: String.Type) throws -> String { throw missing(type) }
    func decode(_ type: Double.Type) throws -> Double { throw missing(type) }
    func decode(_ type: Float.Type) throws -> Float { throw missing(type) }
    func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type) throws -> T {
      throw missing(type)
    }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { throw missing(type) }
  }
}
