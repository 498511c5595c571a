extension JSON {
  /// A container of the standard library that is decoded at one go, without a container between it
  /// and the text.
  protocol WholeDecodable {
    init(_ document: Document, at index: Int) throws
  }
}

extension Optional: JSON.WholeDecodable where Wrapped: Decodable {
  init(_ document: JSON.Document, at index: Int) throws {
    self = document.isNull(index) ? nil : try document.decode(Wrapped.self, at: index)
  }
}

extension Array: JSON.WholeDecodable where Element: Decodable {
  init(_ document: JSON.Document, at array: Int) throws {
    let state = document.state
    try document.expect(.array, at: array, Self.self)
    let shape = JSON.TypeShape.of(Element.self)
    switch shape.kind {
    case .double:
      self = unsafeBitCast(try document.list(array) { try document.double($0) }, to: Self.self)
      return
    case .int:
      self = unsafeBitCast(
        try document.list(array) { try document.integer(Int.self, $0) }, to: Self.self)
      return
    case .string:
      self = unsafeBitCast(try document.list(array) { try document.string($0) }, to: Self.self)
      return
    default: break
    }
    self.init()
    reserveCapacity(state.pointee.tape.elementCount(array))
    let end = state.pointee.tape.end(array)
    var index = array + JSON.Tape.arrayHeader
    while index < end {
      append(try document.decode(Element.self, shape, at: index))
      index = state.pointee.tape.next(index)
    }
  }
}

// Its keys are values, not names of fields: no key strategy changes them.
extension Dictionary: JSON.WholeDecodable where Key == String, Value: Decodable {
  init(_ document: JSON.Document, at object: Int) throws {
    let state = document.state
    try document.expect(.object, at: object, Self.self)
    let shape = JSON.TypeShape.of(Value.self)
    self.init(minimumCapacity: state.pointee.tape.elementCount(object))
    let end = state.pointee.tape.end(object)
    var index = object + JSON.Tape.objectHeader
    while index < end {
      let value = state.pointee.tape.next(index)
      if let key = document.key(index) {
        let decoded = try document.decode(Value.self, shape, at: value)
        // The first of two equal keys counts, or the one that the policy has left.
        if let earlier = updateValue(decoded, forKey: key) { self[key] = earlier }
      }
      index = state.pointee.tape.next(value)
    }
  }
}
