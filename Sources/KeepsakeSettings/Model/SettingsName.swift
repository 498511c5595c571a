/// A setting's name with its hash, which is computed once for all tables.
///
/// Names are equal if their UTF-8 bytes are equal. Equality of `String` is not enough: "K" equals the
/// Kelvin sign, and each composed character its decomposed form.
@usableFromInline
package struct SettingsName: Sendable, Hashable {
  package let string: String
  /// The lowest bit is 1 if the name is pure ASCII.
  let hash: UInt64

  /// - Complexity: O(*n*).
  package init(_ string: String) {
    var string = string
    hash = string.withUTF8 { Self.hash(of: $0) }
    self.string = string
  }

  /// The hash of a name in UTF-8.
  @inline(__always)
  static func hash(of bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    // Multiply and fold is enough: no attacker chooses an app's own names.
    var hash: UInt64 = 0x9E37_79B9_7F4A_7C15
    var all: UInt8 = 0
    for byte in bytes {
      all |= byte
      hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }
    return (hash ^ (hash >> 29)) & ~1 | (all < 0x80 ? 1 : 0)
  }

  @usableFromInline
  package static func == (first: SettingsName, second: SettingsName) -> Bool {
    first.hash == second.hash && first.string == second.string
      && (first.hash & 1 == 1 || first.string.utf8.elementsEqual(second.string.utf8))
  }
}

extension SettingsName {
  /// Whether the name's UTF-8 bytes begin with those of a prefix.
  func hasPrefix(_ prefix: String) -> Bool {
    prefix.isEmpty || string.utf8.starts(with: prefix.utf8)
  }

  @usableFromInline
  package func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
