import KeepsakeBase

extension JSON {
  /// The types of keys that containers were asked for, each with a number that fits in a tape.
  ///
  /// An object notes the number of the type that its keys were asked for by, and with it a path has
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

    /// The key of a name; one without a type if the number is 0 or the type has no such key.
    static func key(_ name: String, number: UInt32) -> any CodingKey {
      guard number > 0 else { return AnyCodingKey(stringValue: name) }
      let type = types.withLock { $0[Int(number) - 1] }
      return type.init(stringValue: name) ?? AnyCodingKey(stringValue: name)
    }
  }
}

extension JSON.Tape {
  /// The number of the type that an object's keys were asked for by last; 0 if they were not.
  ///
  /// It is in bits 32–55 of the entry's first word.
  func keyType(of object: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: words[object] >> 32 & Self.lengthLimit)
  }

  @inline(__always) func noteKeyType(_ number: UInt32, of object: Int) {
    words[object] =
      words[object] & ~(Self.lengthLimit &<< 32) | (UInt64(number) & Self.lengthLimit) &<< 32
  }
}
