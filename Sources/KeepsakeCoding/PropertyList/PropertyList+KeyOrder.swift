extension PropertyList {
  /// Whether a key is written before another: by their UTF-8 bytes, which is by their Unicode
  /// scalars too.
  ///
  /// - Returns: Whether `key` is written before `other`.
  /// - Complexity: O(*n*) in the length of the shorter key.
  package static func precedes(_ key: String, _ other: String) -> Bool {
    let result = key.utf8.withContiguousStorageIfAvailable { bytes in
      other.utf8.withContiguousStorageIfAvailable { precedes(bytes, $0) }
    }
    return (result ?? nil) ?? key.utf8.lexicographicallyPrecedes(other.utf8)
  }

  /// Whether a key is written before another, which are in UTF-8.
  package static func precedes(
    _ key: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    ByteComparison.precedes(key, other)
  }
}
