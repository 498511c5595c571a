/// Finding the value of a key.
///
/// Types mostly ask for their fields in the order in which they were written, so an object
/// remembers, in bits 32–63 of the third word of its entry, the key after the last one found. If
/// that is not the key asked for, every key is looked at from the first on. The keys passed over on
/// the way lie between the mark in bits 0–31 and the end in the fourth word: before a key at the
/// cursor is believed, it is looked for among those, for of two equal keys the first counts.
extension JSON.Tape {
  @inline(__always) mutating func resetCursor(_ object: Int) {
    let first = UInt64(object &+ Self.objectHeader)
    words[object &+ 2] = first &<< 32 | first
    words[object &+ 3] = first
  }

  /// The index of the value of the key at the cursor, if that is the one looked for; else -1.
  ///
  /// - Parameter matches: Whether the key at an index is the one looked for.
  @inline(__always)
  func findNext(_ object: Int, _ matches: (Int) -> Bool) -> Int {
    let state = words[object &+ 2]
    let cursor = Int(truncatingIfNeeded: state &>> 32)
    guard cursor < end(object), matches(cursor) else { return -1 }
    var passed = Int(truncatingIfNeeded: state & 0xFFFF_FFFF)
    let passedEnd = Int(truncatingIfNeeded: words[object &+ 3])
    while passed < passedEnd {
      let value = next(passed)
      if matches(passed) { return value }
      passed = next(value)
    }
    let value = next(cursor)
    words[object &+ 2] = UInt64(next(value)) &<< 32 | state & 0xFFFF_FFFF
    return value
  }

  /// Objects with more keys than this are looked up in a table if they are not read in order.
  static let tableThreshold = 64

  /// The index of a key's value, every key looked at from the first on; -1 if there is none.
  ///
  /// - Complexity: O(*n*) in the number of the object's keys.
  @inline(__always)
  func search(_ object: Int, _ matches: (Int) -> Bool) -> Int {
    let end = end(object)
    let cursor = Int(truncatingIfNeeded: words[object &+ 2] &>> 32)
    var key = object &+ Self.objectHeader
    while key < end {
      let value = next(key)
      if matches(key) {
        if key >= cursor {
          var mark = words[object &+ 2] & 0xFFFF_FFFF
          if mark == words[object &+ 3] { mark = UInt64(cursor) }
          words[object &+ 2] = UInt64(next(value)) &<< 32 | mark
          words[object &+ 3] = UInt64(key)
        }
        return value
      }
      key = next(value)
    }
    return -1
  }

  /// Whether a key is a name, byte for byte once its escapes are resolved.
  @inline(__always) func isKey(_ key: Int, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    let word = words[key]
    // The length, and no trait but that of not being ASCII.
    if word &>> 32 & 0xE_FF_FFFF == UInt64(name.count), name.count < Int(Self.lengthLimit) {
      return ByteComparison.areEqual(
        bytes + Int(truncatingIfNeeded: word & 0xFFFF_FFFF),
        // The buffer of a string has an address, even if the string is empty.
        name.baseAddress.unsafelyUnwrapped, name.count)
    }
    // Nothing but the kind, which is not looked at, can make the length differ.
    if word &>> 56 & 0xA == 0, name.count < Int(Self.lengthLimit) { return false }
    return isUnusualKey(key, name)
  }

  @inline(never)
  private func isUnusualKey(_ key: Int, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    if words[key] &>> 56 & UInt64(Self.supersededTrait) != 0 { return false }
    return text(key).utf8.elementsEqual(name)
  }
}
