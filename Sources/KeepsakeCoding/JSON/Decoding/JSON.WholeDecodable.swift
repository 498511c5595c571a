extension JSON {
  /// A container of the standard library that is decoded at one go, without a container between it
  /// and the text.
  protocol WholeDecodable {
    init(_ entries: Entries, at index: Int) throws
  }
}

extension Optional: JSON.WholeDecodable where Wrapped: Decodable {
  init(_ entries: JSON.Entries, at index: Int) throws {
    self = entries.isNull(index) ? nil : try entries.decode(Wrapped.self, at: index)
  }
}

extension Array: JSON.WholeDecodable where Element: Decodable {
  init(_ entries: JSON.Entries, at array: Int) throws {
    let state = entries.state
    try entries.expect(.array, at: array, Self.self)
    // Many arrays are empty: to ask for the storage of one costs more than to look.
    let count = state.pointee.tape.elementCount(array)
    if count == 0 {
      self.init()
      return
    }
    let shape = JSON.TypeShape.of(Element.self)
    switch shape.kind {
    case .double:
      self = unsafeBitCast(try entries.list(array) { try entries.double($0) }, to: Self.self)
      return
    case .int:
      self = unsafeBitCast(
        try entries.list(array) { try entries.integer(Int.self, $0) }, to: Self.self)
      return
    case .string:
      self = unsafeBitCast(try entries.list(array) { try entries.string($0) }, to: Self.self)
      return
    default: break
    }
    // Written in place: `append` would look for the metadata of the array's storage each time.
    try self.init(unsafeUninitializedCapacity: count) { elements, initializedCount in
      var index = array + JSON.Tape.arrayHeader
      while initializedCount < count {
        elements.initializeElement(
          at: initializedCount, to: try entries.decode(Element.self, shape, at: index))
        initializedCount &+= 1
        index = state.pointee.tape.next(index)
      }
    }
  }
}

// Its keys are values, not names of fields: no key strategy changes them.
extension Dictionary: JSON.WholeDecodable where Key == String, Value: Decodable {
  init(_ entries: JSON.Entries, at object: Int) throws {
    let state = entries.state
    try entries.expect(.object, at: object, Self.self)
    let shape = JSON.TypeShape.of(Value.self)
    self.init(minimumCapacity: state.pointee.tape.elementCount(object))
    let end = state.pointee.tape.end(object)
    var index = object + JSON.Tape.objectHeader
    while index < end {
      let value = state.pointee.tape.next(index)
      if let key = entries.key(index) {
        let decoded = try entries.decode(Value.self, shape, at: value)
        // The first of two equal keys counts, or the one that the policy has left.
        if let earlier = updateValue(decoded, forKey: key) { self[key] = earlier }
      }
      index = state.pointee.tape.next(value)
    }
  }
}
