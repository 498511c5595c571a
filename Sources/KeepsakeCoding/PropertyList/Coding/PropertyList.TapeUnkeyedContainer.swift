extension PropertyList {
  /// The array of a tape. It is no larger than an existential holds without a box.
  struct TapeUnkeyedContainer: UnkeyedDecodingContainer {
    private let storage: TapeStorage
    private let container: UInt32
    /// The entry that is decoded next.
    private var next: UInt32
    private var position: UInt32 = 0
    private let total: UInt32

    @inline(__always) private var values: TapeValues { storage.values }

    init(_ storage: TapeStorage, _ index: Int) throws {
      let values = storage.values
      guard values.state.pointee.tape.kind(index) == .array else {
        throw values.mismatch([Any].self, at: index)
      }
      self.storage = storage
      container = UInt32(truncatingIfNeeded: index)
      next = container &+ 1
      total = UInt32(truncatingIfNeeded: values.state.pointee.tape.entries[index].payload >> 32)
    }

    var codingPath: [any CodingKey] { values.state.pointee.tape.path(to: Int(container)) }
    var count: Int? { Int(total) }
    var isAtEnd: Bool { position >= total }
    var currentIndex: Int { Int(position) }

    @inline(__always)
    private func require(_ type: Any.Type) throws -> Int {
      guard position < total else {
        throw values.ended(type, Int(container), count: currentIndex)
      }
      return Int(next)
    }

    @inline(__always)
    private mutating func advance() {
      next = UInt32(truncatingIfNeeded: values.state.pointee.tape.end(of: Int(next)))
      position &+= 1
    }

    mutating func decodeNil() throws -> Bool {
      guard values.state.pointee.tape.isNull(try require(Never.self)) else { return false }
      advance()
      return true
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool {
      let value = try values.boolean(at: require(type))
      advance()
      return value
    }
    mutating func decode(_ type: String.Type) throws -> String {
      let value = try values.string(at: require(type))
      advance()
      return value
    }
    mutating func decode(_ type: Double.Type) throws -> Double {
      let value = try values.double(at: require(type))
      advance()
      return value
    }
    mutating func decode(_ type: Float.Type) throws -> Float {
      let value = try values.float(at: require(type))
      advance()
      return value
    }
    @inline(__always)
    mutating func integer<T: FixedWidthInteger & Decodable>(_ type: T.Type) throws -> T {
      let value = try values.integer(type, at: require(type))
      advance()
      return value
    }
    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
      let value = try values.value(type, at: require(type))
      advance()
      return value
    }

    // The standard library's own drops the metatype of a subclass.
    mutating func decodeIfPresent<T: Decodable>(_ type: T.Type) throws -> T? {
      if try isAtEnd || decodeNil() { return nil }
      return try decode(type)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
      keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
      let index = try require(KeyedDecodingContainer<NestedKey>.self)
      let nested = try values.container(at: index, keyedBy: type)
      advance()
      return nested
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
      let index = try require((any UnkeyedDecodingContainer).self)
      let nested = try TapeUnkeyedContainer(storage, index)
      advance()
      return nested
    }

    mutating func superDecoder() throws -> any Swift.Decoder {
      let index = try require((any Swift.Decoder).self)
      advance()
      return TapeDecoder(storage: storage, index: index)
    }
  }
}
