extension JSON.Value {
  /// Decodes this value, and takes missing keys from a default instance.
  ///
  /// A key is taken at any depth of dictionaries, but not in the elements of an array, which correspond
  /// to no elements of the default, and not in a value that is not in the default, such as the payload of
  /// another enumeration case.
  ///
  /// - Parameters:
  ///   - defaults: Returns the encoded default instance, if there is one; called at most once.
  ///   - decode: Decodes a value.
  /// - Returns: The decoded value, what it was decoded from, and the keys that were taken, each with its
  ///   coding path.
  /// - Throws: The first error of `decode` that names no missing key, or a key that is not in the default.
  /// - Complexity: O(*n* *k*) if *k* keys are missing, because each is found by decoding again.
  package func decode<T>(
    fillingFrom defaults: () throws -> JSON.Value?, by decode: (JSON.Value) throws -> T
  ) throws -> (value: T, source: JSON.Value, filled: [[any CodingKey]]) {
    var value = self
    var loaded: JSON.Value?
    var filled: [[any CodingKey]] = []
    while true {
      do {
        return (try decode(value), value, filled)
      } catch DecodingError.keyNotFound(let key, let context) {
        if filled.isEmpty { loaded = try defaults() }
        let path = context.codingPath + [key]
        // Terminates: each time the value has one more of the default's keys.
        guard let loaded, value.fill(path[...], from: loaded) else {
          throw DecodingError.keyNotFound(key, context)
        }
        filled.append(path)
      }
    }
  }

  /// Adds the last key of a path with its value in another value, if only that key is missing.
  ///
  /// - Returns: Whether it was added.
  private mutating func fill(_ path: ArraySlice<any CodingKey>, from defaults: JSON.Value) -> Bool {
    guard let key = path.first?.stringValue, case .object(var object) = self,
      case .object(let defaults) = defaults, let found = defaults[key]
    else { return false }
    if path.count == 1 {
      guard object[key] == nil else { return false }
      object[key] = found
    } else {
      guard var member = object[key], member.fill(path.dropFirst(), from: found) else {
        return false
      }
      object[key] = member
    }
    self = .object(object)
    return true
  }
}
