/// Equal keys of one object: their bytes are the same once escapes are resolved (RFC 8259, 8.3).
extension Tape {
  @inline(__always) func isSuperseded(_ key: Int) -> Bool {
    hasTrait(Self.supersededTrait, key)
  }

  /// Lets the last of equal keys count.
  ///
  /// - Complexity: O(*n*) in the number of keys, on average.
  @inline(__always) mutating func supersedeEqualKeys(of object: Int) {
    if elementCount(object) < 2 || areKeysAscending(object) { return }
    _ = findEqualKeys(of: object) { _ in true }
  }

  /// The first key that is equal to one before it.
  ///
  /// - Complexity: O(*n*) in the number of keys, on average.
  mutating func firstEqualKey(of object: Int) -> Int? {
    if elementCount(object) < 2 || areKeysAscending(object) { return nil }
    return findEqualKeys(of: object) { _ in false }
  }

  /// Whether every key is written before the next, as in most files: then no two are equal.
  @inline(__always) private func areKeysAscending(_ object: Int) -> Bool {
    var key = object &+ Self.objectHeader
    let end = end(object)
    var last = key
    var lastHead: UInt64 = 0
    while key < end {
      guard let head = head(ofKey: key) else { return false }
      if head < lastHead || head == lastHead && key > last && !precedes(last, key) { return false }
      (last, lastHead) = (key, head)
      key = next(value(ofKey: key))
    }
    return true
  }

  /// Whether a key is written before another.
  @inline(never) func precedes(_ key: Int, _ other: Int) -> Bool {
    withText(key) { bytes in withText(other) { ByteComparison.precedes(bytes, $0) } }
  }

  /// Looks for keys that are equal to one before them.
  ///
  /// - Parameter supersedes: Receives such a key, and returns whether it supersedes the one before;
  ///   else the search ends.
  /// - Returns: The key at which the search ended.
  @inline(never)
  private mutating func findEqualKeys(of object: Int, _ supersedes: (Int) -> Bool) -> Int? {
    let count = elementCount(object)
    var slotCount = 32
    while slotCount < count * 2 { slotCount *= 2 }
    let (start, end) = (object + Self.objectHeader, end(object))
    return withUnsafeTemporaryAllocation(of: UInt32.self, capacity: slotCount) { slots in
      slots.initialize(repeating: 0)
      var key = start
      while key < end {
        var slot = withText(key) { Int(truncatingIfNeeded: ByteHash.hash($0)) }
        while true {
          slot &= slotCount - 1
          let earlier = Int(slots[slot])
          if earlier == 0 { break }
          if isEqual(earlier, key) {
            guard supersedes(key) else { return key }
            // Not `|=`, for which Swift 6.3 emits wrong code under ThreadSanitizer.
            words[earlier] = words[earlier] | UInt64(Self.supersededTrait) &<< 56
            break
          }
          slot += 1
        }
        slots[slot] = UInt32(truncatingIfNeeded: key)
        key = next(value(ofKey: key))
      }
      return nil
    }
  }

  private func isEqual(_ key: Int, _ other: Int) -> Bool {
    withText(key) { bytes in
      withText(other) { other in
        guard bytes.count == other.count else { return false }
        guard let start = bytes.baseAddress, let otherStart = other.baseAddress else { return true }
        return ByteComparison.areEqual(start, otherStart, bytes.count)
      }
    }
  }
}
