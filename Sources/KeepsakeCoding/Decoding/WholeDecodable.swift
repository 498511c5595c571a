/// A container of the standard library that is decoded at once, without a container between it
/// and the tape.
protocol WholeDecodable {
  init(_ values: TapeValues, at index: Int) throws
}

extension Optional: WholeDecodable where Wrapped: Decodable {
  init(_ values: TapeValues, at index: Int) throws {
    self = values.isNull(index) ? nil : try values.decode(Wrapped.self, at: index)
  }
}

extension Array: WholeDecodable where Element: Decodable {
  init(_ values: TapeValues, at array: Int) throws {
    let state = values.state
    try values.expect(.array, at: array, Self.self)
    // Many arrays are empty: to ask for the storage of one costs more than to look.
    let count = state.pointee.tape.elementCount(array)
    if count == 0 {
      self.init()
      return
    }
    let shape = TypeShape.of(Element.self)
    switch shape.kind {
    case .double:
      self = unsafeBitCast(try values.list(array) { try values.double($0) }, to: Self.self)
      return
    case .int:
      self = unsafeBitCast(
        try values.list(array) { try values.integer(Int.self, $0) }, to: Self.self)
      return
    case .uint8:
      self = unsafeBitCast(
        try values.list(array) { try values.integer(UInt8.self, $0) }, to: Self.self)
      return
    case .string:
      self = unsafeBitCast(try values.list(array) { try values.string($0) }, to: Self.self)
      return
    default: break
    }
    // Written in place: `append` would look for the metadata of the array's storage each time.
    try self.init(unsafeUninitializedCapacity: count) { elements, initializedCount in
      var index = array + Tape.arrayHeader
      while initializedCount < count {
        elements.initializeElement(
          at: initializedCount, to: try values.decode(Element.self, shape, at: index))
        initializedCount &+= 1
        index = state.pointee.tape.next(index)
      }
    }
  }
}

// Its keys are values, not names of fields: no key strategy changes them.
extension Dictionary: WholeDecodable where Key == String, Value: Decodable {
  init(_ values: TapeValues, at object: Int) throws {
    try values.expect(.object, at: object, Self.self)
    let shape = TypeShape.of(Value.self)
    switch shape.kind {
    case .double:
      self = unsafeBitCast(try values.dictionary(object) { try values.double($0) }, to: Self.self)
    case .int:
      self = unsafeBitCast(
        try values.dictionary(object) { try values.integer(Int.self, $0) }, to: Self.self)
    case .string:
      self = unsafeBitCast(try values.dictionary(object) { try values.string($0) }, to: Self.self)
    default: try self.init(values, at: object, shape)
    }
  }

  private init(_ values: TapeValues, at object: Int, _ shape: TypeShape) throws {
    let state = values.state
    let keepsFirst = state.pointee.options.duplicates == .first
    self.init(minimumCapacity: state.pointee.tape.elementCount(object))
    let end = state.pointee.tape.end(object)
    var index = object + Tape.objectHeader
    while index < end {
      let value = state.pointee.tape.value(ofKey: index)
      if let key = values.key(index) {
        let decoded = try values.decode(Value.self, shape, at: value)
        // Keys that are equal, or that Swift holds to be equal.
        if let earlier = updateValue(decoded, forKey: key), keepsFirst { self[key] = earlier }
      }
      index = state.pointee.tape.next(value)
    }
  }
}
