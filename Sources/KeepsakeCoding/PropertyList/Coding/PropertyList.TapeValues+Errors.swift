extension PropertyList.TapeValues {
  /// A value is not of the type that is asked for.
  @inline(never)
  func mismatch(_ type: Any.Type, at index: Int) -> DecodingError {
    if state.pointee.tape.isNull(index) { return null(type, at: index) }
    let found = state.pointee.tape.description(of: index)
    return .typeMismatch(
      type, context("Expected to decode \(type) but found \(found) instead", index))
  }

  /// There is null where a value is asked for.
  @inline(never)
  func null(_ type: Any.Type, at index: Int) -> DecodingError {
    .valueNotFound(type, context("Cannot get value of \(type) -- found null value instead", index))
  }

  /// A value that the type which is asked for cannot hold.
  @inline(never)
  func corrupted(_ message: String, at index: Int) -> DecodingError {
    .dataCorrupted(context(message, index))
  }

  @inline(never)
  func unfit(_ number: String, _ type: Any.Type, at index: Int) -> DecodingError {
    corrupted("Parsed property list number <\(number)> does not fit in \(type)", at: index)
  }

  @inline(never)
  func missing(_ key: some CodingKey, in dictionary: Int) -> DecodingError {
    .keyNotFound(
      key,
      context("No value associated with key \(key) (\"\(key.stringValue)\")", dictionary))
  }

  /// An array has no more elements.
  @inline(never)
  func ended(_ type: Any.Type, _ array: Int, count: Int) -> DecodingError {
    let context = context("Unkeyed container is at end", array)
    return .valueNotFound(
      type,
      DecodingError.Context(
        codingPath: context.codingPath + [AnyCodingKey(index: count)],
        debugDescription: context.debugDescription, underlyingError: context.underlyingError))
  }

  /// What is wrong, and where: a sentence, and the place in the file.
  private func context(_ message: String, _ index: Int) -> DecodingError.Context {
    let path = state.pointee.tape.path(to: index)
    guard let place = state.pointee.tape.location(of: index) else {
      return DecodingError.Context(codingPath: path, debugDescription: "\(message).")
    }
    return context(message, place.isBefore ? "after " : "", place.location, path)
  }

  private func context(
    _ message: String, _ relation: String, _ location: TextLocation, _ path: [any CodingKey]
  ) -> DecodingError.Context {
    let excerpt = location.excerpt.isEmpty ? "" : "\n\(location.excerpt)"
    return DecodingError.Context(
      codingPath: path, debugDescription: "\(message) (\(relation)\(location)).\(excerpt)",
      underlyingError: DecodingLocation(location))
  }

  /// A value that does not hold what its kind requires.
  @inline(never)
  func fault(_ fault: PropertyList.Fault, at index: Int) -> DecodingError {
    .dataCorrupted(
      context(
        fault.message, "", state.pointee.tape.location(atOffset: fault.offset),
        state.pointee.tape.path(to: index)))
  }
}
