/// Finding the value of a key.
///
/// Types mostly ask for their fields in the order in which they were written, so an object
/// remembers, in the third word of its entry, the key after the last one found. If that is not the
/// key asked for, every key is looked at from the first on.
///
/// Of two equal keys the first counts, in whatever order and however often a type asks: so before a
/// key at the cursor is believed, it is looked for among those before it. The fourth word spares
/// that to nearly all: it has a bit for each key before the cursor (see `mark`), and a key whose bit
/// is not there is not among them.
extension JSON.Tape {
  @inline(__always) mutating func resetCursor(_ object: Int) {
    words[object &+ 2] = UInt64(object &+ Self.objectHeader)
    words[object &+ 3] = 0
  }

  /// The bit of a key, the same for all keys that match one name: all bits for a key that must be
  /// looked at to be known.
  ///
  /// The last letter of a key stays the same when words are joined by capitals, but for its case.
  @inline(__always) private func mark(_ key: Int, isSeparated: Bool) -> UInt64 {
    let word = words[key]
    let length = word &>> 32 & Self.lengthLimit
    // An escape, or a value that does not count; in names made of words, also what is not ASCII.
    if length == 0 || word &>> 56 & (isSeparated ? 0xB : 0xA) != 0 { return .max }
    let last = UInt64(
      bytes[Int(truncatingIfNeeded: word & 0xFFFF_FFFF) &+ Int(truncatingIfNeeded: length) &- 1])
    return 1 &<< ((isSeparated ? last | 0x20 : last &+ length &* 11) & 63)
  }

  /// The index of the value of the key at the cursor, if that is the one looked for; else -1.
  ///
  /// - Parameters:
  ///   - isSeparated: Whether names are made of the words of keys.
  ///   - matches: Whether the key at an index is the one looked for.
  @inline(__always)
  func findNext(_ object: Int, isSeparated: Bool = false, _ matches: (Int) -> Bool) -> Int {
    let cursor = Int(truncatingIfNeeded: words[object &+ 2])
    guard cursor < end(object), matches(cursor) else { return -1 }
    let marks = words[object &+ 3]
    let mark = mark(cursor, isSeparated: isSeparated)
    if marks & mark != 0 {
      var key = object &+ Self.objectHeader
      while key < cursor {
        let value = next(key)
        if matches(key) { return value }
        key = next(value)
      }
    }
    let value = next(cursor)
    words[object &+ 2] = UInt64(truncatingIfNeeded: next(value))
    words[object &+ 3] = marks | mark
    return value
  }

  /// The index of a key's value, every key looked at from the first on; -1 if there is none.
  ///
  /// - Complexity: O(*n*) in the number of the object's keys.
  @inline(__always)
  func search(_ object: Int, isSeparated: Bool = false, _ matches: (Int) -> Bool) -> Int {
    let end = end(object)
    let cursor = Int(truncatingIfNeeded: words[object &+ 2])
    var marks = words[object &+ 3]
    var key = object &+ Self.objectHeader
    while key < end {
      let value = next(key)
      if key >= cursor { marks |= mark(key, isSeparated: isSeparated) }
      if matches(key) {
        if key >= cursor {
          words[object &+ 2] = UInt64(truncatingIfNeeded: next(value))
          words[object &+ 3] = marks
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
