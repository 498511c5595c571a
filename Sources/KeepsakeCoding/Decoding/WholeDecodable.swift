/// A container of the standard library that is decoded at once, without a container between it and
/// the tape.
protocol WholeDecodable: SendableMetatype {
  /// Decodes a value.
  ///
  /// - Parameter memory: Room for a value, which is initialized unless an error is thrown. A value
  ///   that is returned instead would be retained and released on its way out of generic code.
  static func decode(
    _ values: TapeValues, at index: Int, into memory: UnsafeMutableRawPointer
  ) throws
}

extension Optional: WholeDecodable where Wrapped: Decodable {
  static func decode(
    _ values: TapeValues, at index: Int, into memory: UnsafeMutableRawPointer
  ) throws {
    let value = values.isNull(index) ? nil : try values.decode(Wrapped.self, at: index)
    memory.initializeMemory(as: Self.self, to: value)
  }
}

extension Array: WholeDecodable where Element: Decodable {
  static func decode(
    _ values: TapeValues, at array: Int, into memory: UnsafeMutableRawPointer
  ) throws {
    let state = values.state
    try values.expectContainer(.array, at: array)
    // Many arrays are empty: to ask for the storage of one costs more than to look.
    let count = state.pointee.tape.elementCount(array)
    if count == 0 {
      memory.initializeMemory(as: [Int].self, to: [])
      return
    }
    let shape = values.shape(of: Element.self, at: array)
    switch shape.kind {
    case .double:
      memory.initializeMemory(
        as: [Double].self, to: try values.list(array) { try values.double($0) })
    case .int:
      memory.initializeMemory(
        as: [Int].self, to: try values.list(array) { try values.integer(Int.self, $0) })
    case .uint8:
      memory.initializeMemory(
        as: [UInt8].self, to: try values.list(array) { try values.integer(UInt8.self, $0) })
    case .string:
      memory.initializeMemory(
        as: [String].self, to: try values.list(array) { try values.string($0) })
    default:
      // Written in place: `append` would look for the metadata of the array's storage each time.
      let result = try Self(unsafeUninitializedCapacity: count) { elements, initializedCount in
        var index = array + Tape.arrayHeader
        let first = elements.baseAddress.unsafelyUnwrapped
        while initializedCount < count {
          try values.decode(Element.self, shape, at: index, into: first + initializedCount)
          initializedCount &+= 1
          index = state.pointee.tape.next(index)
        }
      }
      memory.initializeMemory(as: Self.self, to: result)
    }
  }
}

// Its keys are values, not names of fields: no key strategy changes them.
extension Dictionary: WholeDecodable where Key == String, Value: Decodable {
  static func decode(
    _ values: TapeValues, at object: Int, into memory: UnsafeMutableRawPointer
  ) throws {
    try values.expectContainer(.object, at: object)
    let shape = values.shape(of: Value.self, at: object)
    switch shape.kind {
    case .double:
      memory.initializeMemory(
        as: [String: Double].self, to: try values.dictionary(object) { try values.double($0) })
    case .int:
      memory.initializeMemory(
        as: [String: Int].self,
        to: try values.dictionary(object) { try values.integer(Int.self, $0) })
    case .string:
      memory.initializeMemory(
        as: [String: String].self, to: try values.dictionary(object) { try values.string($0) })
    default:
      memory.initializeMemory(
        as: Self.self,
        to: try values.dictionary(object) { try values.decode(Value.self, shape, at: $0) })
    }
  }
}
