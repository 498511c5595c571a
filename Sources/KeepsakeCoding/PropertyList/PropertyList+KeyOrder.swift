extension PropertyList {
  /// Whether a key is written before another: by their UTF-8 bytes, which is by their Unicode
  /// scalars too.
  ///
  /// - Returns: Whether `key` is written before `other`.
  /// - Complexity: O(*n*) in the length of the shorter key.
  public static func precedes(_ key: String, _ other: String) -> Bool {
    let result = key.utf8.withContiguousStorageIfAvailable { bytes in
      other.utf8.withContiguousStorageIfAvailable { precedes(bytes, $0) }
    }
    return (result ?? nil) ?? key.utf8.lexicographicallyPrecedes(other.utf8)
  }

  /// The entries of a dictionary in the order in which they are written.
  ///
  /// - Complexity: O(*n* log *n*).
  package static func sortedEntries(
    _ dictionary: [String: Value]
  ) -> some Sequence<(key: String, value: Value)> {
    let entries = Array(dictionary)
    // The keys' bytes, one after the other: strings in an array would be retained and released
    // with every comparison, which takes longer than to compare them.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(entries.count * 32)
    var ranges: [(start: Int, end: Int, index: Int)] = []
    ranges.reserveCapacity(entries.count)
    for index in entries.indices {
      let start = bytes.count
      bytes.append(contentsOf: entries[index].key.utf8)
      ranges.append((start, bytes.count, index))
    }
    bytes.withUnsafeBufferPointer { bytes in
      ranges.sort { range, other in
        precedes(
          UnsafeBufferPointer(rebasing: bytes[range.start..<range.end]),
          UnsafeBufferPointer(rebasing: bytes[other.start..<other.end]))
      }
    }
    return ranges.lazy.map { entries[$0.index] }
  }

  /// Whether a key is written before another, which are in UTF-8.
  package static func precedes(
    _ key: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    ByteComparison.precedes(key, other)
  }
}
