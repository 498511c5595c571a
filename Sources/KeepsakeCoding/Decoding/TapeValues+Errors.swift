/// The errors of decoding: Foundation's cases and words, with the location in the file after them.
extension TapeValues {
  /// Requires that a value is an array or an object whose container a type has asked for.
  @inline(__always)
  func expectContainer(_ kind: Tape.Kind, at index: Int) throws {
    guard index >= 0, state.pointee.tape.is(kind, index) else {
      throw noContainer(kind, at: index)
    }
  }

  @inline(never)
  private func noContainer(_ kind: Tape.Kind, at index: Int) -> DecodingError {
    let isObject = kind == .object
    if isNull(index) {
      return .valueNotFound(
        isObject
          ? KeyedDecodingContainer<AnyCodingKey>.self : (any UnkeyedDecodingContainer).self,
        context(
          "Cannot get \(isObject ? "keyed" : "unkeyed") decoding container -- found null value "
            + "instead",
          at: index))
    }
    return mismatch(isObject ? [String: Any].self : [Any].self, at: index)
  }

  /// The value is of another type than the one asked for, or null.
  @inline(never)
  func mismatch(_ type: Any.Type, at index: Int) -> DecodingError {
    if isNull(index) {
      return .valueNotFound(
        type,
        context("Cannot get value of type \(type) -- found null value instead", at: index))
    }
    return .typeMismatch(
      type, context("Expected to decode \(type) but found \(noun(index)) instead.", at: index))
  }

  /// The number is not one of its type's.
  @inline(never)
  func outOfRange(_ type: Any.Type, at index: Int) -> DecodingError {
    let tape = state.pointee.tape.format == .json ? "JSON" : "property list"
    return corrupted(
      "Parsed \(tape) number <\(numberText(index))> does not fit in \(type).", at: index)
  }

  private func numberText(_ index: Int) -> String {
    let bits = state.pointee.tape.bits(index)
    return switch state.pointee.tape.kind(index) {
    case .integer: "\(Int64(bitPattern: bits))"
    case .unsigned: "\(bits)"
    case .real: "\(Double(bitPattern: bits))"
    default: state.pointee.tape.number(index).plainText
    }
  }

  @inline(never)
  func corrupted(_ description: String, at index: Int) -> DecodingError {
    .dataCorrupted(context(description, at: index))
  }

  @inline(never)
  func keyNotFound(_ key: any CodingKey, in object: Int) -> DecodingError {
    .keyNotFound(
      key,
      context("No value associated with key \(key) (\"\(key.stringValue)\").", at: object))
  }

  @inline(never)
  func endOfArray(_ type: Any.Type, _ array: Int, _ number: Int) -> DecodingError {
    .valueNotFound(
      type,
      context(
        "Unkeyed container is at end.", at: array,
        path: path(to: array) + [AnyCodingKey(index: number)]))
  }

  /// The number that stands for a missing value: see `absences`.
  @inline(never)
  func absence(of key: any CodingKey, in object: Int) -> Int {
    state.pointee.absences.append(TapeStorage.Absence(object: object, key: key))
    return -state.pointee.absences.count
  }

  private func noun(_ index: Int) -> String {
    switch state.pointee.tape.kind(index) {
    case .null: "null"
    case .true, .false: state.pointee.tape.format == .json ? "bool" : "a boolean"
    case .number: "number"
    case .integer, .unsigned: "an integer"
    case .real: "a real number"
    case .date: "a date"
    case .data: "a data value"
    case .string: "a string"
    case .array: "an array"
    case .object: "a dictionary"
    }
  }

  private func context(
    _ description: String, at index: Int, path: [any CodingKey]? = nil
  ) -> DecodingError.Context {
    let path = path ?? self.path(to: index)
    guard let location = location(of: index) else {
      return DecodingError.Context(codingPath: path, debugDescription: description)
    }
    let excerpt = location.excerpt.isEmpty ? "" : "\n\(location.excerpt)"
    return DecodingError.Context(
      codingPath: path, debugDescription: "\(description) (\(location))\(excerpt)",
      underlyingError: DecodingLocation(location))
  }
}
