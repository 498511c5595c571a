extension JSON {
  /// Which value counts where an object has one key several times; RFC 8259, section 4, leaves it
  /// open.
  public enum DuplicateKeyPolicy: Sendable, Hashable {
    /// The first value counts, as with Foundation's decoder.
    case first
    /// The last value counts, as with most other readers.
    case last
    /// The text is refused.
    case error
  }
}

extension JSON.Tape {
  /// Finds the keys that an object has twice, and lets the last value count or refuses the text.
  ///
  /// - Complexity: O(*n*) in the number of keys, on average.
  mutating func settleDuplicates(
    in object: Int, _ policy: JSON.DuplicateKeyPolicy, _ count: UInt64
  ) throws(JSON.Fault) {
    guard count > 1 else { return }
    var seen: [String: Int] = [:]
    var index = object + Self.objectHeader
    while index < self.count {
      let value = next(index)
      let name = text(index)
      if let earlier = seen.updateValue(index, forKey: name) {
        guard policy == .last else { throw JSON.Fault(.duplicateKey, at: offset(index) - 1) }
        // A key that no name is equal to: its quote alone, which no key can be.
        words[earlier] |= UInt64(Self.supersededTrait) &<< 56
      }
      index = next(value)
    }
  }

  /// The trait of a key whose value does not count.
  static let supersededTrait: UInt8 = 8

  /// A key's text.
  func text(_ index: Int) -> String {
    let token = string(index)
    return token.traits.contains(.hasEscapes) ? JSON.unescapedText(of: token) : JSON.text(of: token)
  }
}
