import KeepsakeBase

/// The types of keys that containers were requested for, each with a number that fits in a tape.
///
/// A dictionary notes the number of the type that its keys were requested by, and with it a path has
/// the keys of that type: with their integer values, and to be cast to it.
enum KeyTypes {
  private static let types = Mutex<[any CodingKey.Type]>([])

  /// The number of a type, which is never 0.
  static func number(of type: any CodingKey.Type) -> UInt32 {
    types.withLock { types in
      let index = types.firstIndex { ObjectIdentifier($0) == ObjectIdentifier(type) }
      if index == nil { types.append(type) }
      return UInt32(index ?? types.count - 1) + 1
    }
  }

  /// The key of a name; one like those of the standard library's dictionaries if the number is 0, and
  /// one without a type if the type has no such key.
  static func key(_ name: String, number: UInt32) -> any CodingKey {
    guard number > 0 else { return AnyCodingKey(key: name) }
    let type = types.withLock { $0[Int(number) - 1] }
    return type.init(stringValue: name) ?? AnyCodingKey(stringValue: name)
  }
}
