/// Finding the value of a key.
///
/// Types mostly ask for their fields in the order in which they were written, so an object
/// remembers, in bits 32–63 of the third word of its entry, the key after the last one found. If
/// that is not the key asked for, every key is looked at from the first on.
///
/// Of two equal keys the first counts, in whatever order and however often a type asks. So before a
/// key at the cursor is believed, it is looked for among those passed over on the way, which lie
/// between the mark in bits 0–31 of the third word and the end in those of the fourth; and among all
/// before it, if it may have been found before: of that, bits 32–63 of the fourth word keep account,
/// one for each key found at the cursor (see `trace`).
extension JSON.Tape {
  @inline(__always) mutating func resetCursor(_ object: Int) {
    let first = UInt64(object &+ Self.objectHeader)
    words[object &+ 2] = first &<< 32 | first
    words[object &+ 3] = first
  }

  /// The bit of a key in the fourth word, the same for all keys that match one name: all of them for
  /// a key whose bytes do not say which names it matches.
  ///
  /// The first and the last letter of a key stay when words are joined by capitals, but for case.
  @inline(__always) private func trace(_ key: Int, isSeparated: Bool) -> UInt64 {
    let word = words[key]
    let length = word &>> 32 & Self.lengthLimit
    // An escape, or a value that does not count; in names made of words, also what is not ASCII.
    if length == 0 || word &>> 56 & (isSeparated ? 0xB : 0xA) != 0 { return .max &<< 32 }
    let start = bytes + Int(truncatingIfNeeded: word & 0xFFFF_FFFF)
    let (first, last) = (start[0], start[Int(truncatingIfNeeded: length) &- 1])
    let mixed =
      isSeparated
      ? (first | 0x20) &* 7 &+ (last | 0x20)
      : first &* 7 &+ last &+ UInt8(truncatingIfNeeded: length) &* 11
    return 1 &<< (32 | UInt64(mixed) & 31)
  }

  /// The index of the value of the key at the cursor, if that is the one looked for; else -1.
  ///
  /// - Parameters:
  ///   - isSeparated: Whether names are made of the words of keys.
  ///   - matches: Whether the key at an index is the one looked for.
  @inline(__always)
  func findNext(_ object: Int, isSeparated: Bool = false, _ matches: (Int) -> Bool) -> Int {
    let state = words[object &+ 2]
    let cursor = Int(truncatingIfNeeded: state &>> 32)
    guard cursor < end(object), matches(cursor) else { return -1 }
    if !isSeparated, words[object] &>> 56 & 3 == 1 {
      // No key is there twice.
      let value = next(cursor)
      words[object &+ 2] = UInt64(next(value)) &<< 32 | state & 0xFFFF_FFFF
      return value
    }
    let passed = words[object &+ 3]
    let trace = trace(cursor, isSeparated: isSeparated)
    var key = Int(truncatingIfNeeded: state & 0xFFFF_FFFF)
    var limit = Int(truncatingIfNeeded: passed & 0xFFFF_FFFF)
    if passed & trace != 0, isSeparated || mayRepeatKeys(object) {
      // A table knows it sooner.
      if elementCount(object) > Self.tableThreshold { return -1 }
      (key, limit) = (object &+ Self.objectHeader, cursor)
    }
    while key < limit {
      let value = next(key)
      if matches(key) { return value }
      key = next(value)
    }
    let value = next(cursor)
    words[object &+ 2] = UInt64(next(value)) &<< 32 | state & 0xFFFF_FFFF
    words[object &+ 3] = passed | trace
    return value
  }

  /// Whether an object may have a key twice: found out once, and kept in the object's traits.
  @inline(never) private func mayRepeatKeys(_ object: Int) -> Bool {
    let known = words[object] &>> 56 & 3
    if known != 0 { return known == 2 }
    let repeats = elementCount(object) > Self.tableThreshold || hasEqualKeys(object)
    words[object] |= (repeats ? 2 : 1) &<< 56
    return repeats
  }

  /// Whether two keys of an object that is not large are equal, or may be but for their escapes.
  private func hasEqualKeys(_ object: Int) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: Self.tableThreshold) { earlier in
      let end = end(object)
      var key = object + Self.objectHeader
      var count = 0
      while key < end {
        let word = words[key]
        let length = word &>> 32 & Self.lengthLimit
        if word &>> 56 & 0xA != 0 || length == Self.lengthLimit { return true }
        let token = string(key)
        // The offset, the length and the last letter: mostly the latter two tell keys apart.
        let last = token.count == 0 ? 0 : UInt64(token.start[token.count - 1])
        let sign = word & 0xFF_FFFF_FFFF_FFFF | last &<< 56
        for index in 0..<count where (earlier[index] ^ sign) &>> 32 == 0 {
          let other = bytes + Int(truncatingIfNeeded: earlier[index] & 0xFFFF_FFFF)
          if ByteComparison.areEqual(other, token.start, token.count) { return true }
        }
        earlier[count] = sign
        count += 1
        key = next(next(key))
      }
      return false
    }
  }

  /// Objects with more keys than this are looked up in a table if they are not read in order.
  static let tableThreshold = 64

  /// The index of a key's value, every key looked at from the first on; -1 if there is none.
  ///
  /// - Complexity: O(*n*) in the number of the object's keys.
  @inline(__always)
  func search(_ object: Int, isSeparated: Bool = false, _ matches: (Int) -> Bool) -> Int {
    let end = end(object)
    let cursor = Int(truncatingIfNeeded: words[object &+ 2] &>> 32)
    var key = object &+ Self.objectHeader
    while key < end {
      let value = next(key)
      if matches(key) {
        if key >= cursor {
          // Where one key was passed over, more will be.
          if !isSeparated { _ = mayRepeatKeys(object) }
          let passed = words[object &+ 3]
          var mark = words[object &+ 2] & 0xFFFF_FFFF
          if mark == passed & 0xFFFF_FFFF { mark = UInt64(cursor) }
          words[object &+ 2] = UInt64(next(value)) &<< 32 | mark
          words[object &+ 3] =
            UInt64(key) | (passed | trace(key, isSeparated: isSeparated)) & ~0xFFFF_FFFF
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
