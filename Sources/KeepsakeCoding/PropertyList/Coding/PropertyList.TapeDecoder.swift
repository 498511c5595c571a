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

    @inline(__always) fileprivate var values: TapeValues { storage.values }

    /// What the value is.
    var kind: Tape.Kind { values.state.pointee.tape.kind(index) }

    var codingPath: [any CodingKey] { values.state.pointee.tape.path(to: index) }
    var userInfo: [CodingUserInfoKey: Any] { values.state.pointee.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
      try values.container(at: index, keyedBy: type)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
      try TapeUnkeyedContainer(storage, index)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
  }
}

extension PropertyList.TapeDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { values.state.pointee.tape.isNull(index) }

  func decode(_ type: Bool.Type) throws -> Bool { try values.boolean(at: index) }
  func decode(_ type: String.Type) throws -> String { try values.string(at: index) }
  func decode(_ type: Double.Type) throws -> Double { try values.double(at: index) }
  func decode(_ type: Float.Type) throws -> Float { try values.float(at: index) }

  func decode<T: Decodable>(_ type: T.Type) throws -> T { try values.value(type, at: index) }
}

extension PropertyList {
  /// The decoder of a superclass that has nothing in the file.
  struct MissingDecoder: Swift.Decoder, SingleValueDecodingContainer {
    let codingPath: [any CodingKey]
    let storage: TapeStorage

    var userInfo: [CodingUserInfoKey: Any] { storage.values.state.pointee.userInfo }

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
