/// A setting's name with its hash, which is computed once for all tables.
@usableFromInline
struct SettingsName: Sendable, Hashable {
  let string: String
  let hash: UInt64

  /// - Complexity: O(*n*).
  init(_ string: String) {
    var string = string
    self.hash =
      string.withUTF8 { Self.hash(ofASCII: $0) }
      // Canonically equivalent strings have the same hash.
      ?? UInt64(truncatingIfNeeded: string.hashValue)
    self.string = string
  }

  /// The hash of a name in UTF-8; `nil` if it is not pure ASCII.
  @inline(__always)
  static func hash(ofASCII bytes: UnsafeBufferPointer<UInt8>) -> UInt64? {
    // Multiply and fold is enough: no attacker chooses an app's own names.
    var hash: UInt64 = 0x9E37_79B9_7F4A_7C15
    for byte in bytes {
      if byte >= 0x80 { return nil }
      hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }
    return hash ^ (hash >> 29)
  }

  @usableFromInline
  static func == (first: SettingsName, second: SettingsName) -> Bool {
    first.hash == second.hash && first.string == second.string
  }
}

extension SettingsName {
  @usableFromInline
  func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
