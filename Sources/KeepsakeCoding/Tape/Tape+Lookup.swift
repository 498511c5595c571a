/// Finding the value of a key.
///
/// Types mostly ask for their fields in the order in which they were written, so an object
/// remembers, in bits 32–63 of the third word of its entry, the key after the last one found. If
/// that is not the key asked for, every key is looked at from the first on. The keys passed over on
/// the way lie between the mark in bits 0–31 and the end in the fourth word: before a key at the
/// cursor is believed, it is looked for among those, for of two equal keys the first counts.
extension Tape {
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
      let value = value(ofKey: passed)
      if matches(passed) { return value }
      passed = next(value)
    }
    let value = value(ofKey: cursor)
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
      let value = value(ofKey: key)
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
    if word &>> 32 & Self.usualMask == UInt64(name.count), name.count < Int(Self.lengthLimit) {
      return ByteComparison.areEqual(
        bytes + Int(truncatingIfNeeded: word & 0xFFFF_FFFF),
        // The buffer of a string has an address, even if the string is empty.
        name.baseAddress.unsafelyUnwrapped, name.count)
    }
    // Nothing but the kind, which is not looked at, can make the length differ.
    if word &>> 56 & 0xE == 0, name.count < Int(Self.lengthLimit) { return false }
    return isUnusualKey(key, name)
  }

  /// The length, and the traits of text that is not simply in the file.
  private static let usualMask: UInt64 = 0xE_FF_FFFF

  @inline(never)
  private func isUnusualKey(_ key: Int, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    if isSuperseded(key) { return false }
    return withText(key) { bytes in
      bytes.count == name.count
        && ByteComparison.areEqual(
          bytes.baseAddress.unsafelyUnwrapped, name.baseAddress.unsafelyUnwrapped, name.count)
    }
  }

  /// The value of a key that Swift holds to be equal to a name, in another spelling; -1 if there is
  /// none.
  @inline(never)
  mutating func valueOfEquivalentKey(_ object: Int, _ name: String, takesLast: Bool) -> Int {
    var key = object + Self.objectHeader
    var found = -1
    while key < end(object) {
      let value = value(ofKey: key)
      // ASCII has one spelling.
      if !string(key).traits.isEmpty, !isSuperseded(key), text(key) == name {
        found = value
        if !takesLast { break }
      }
      key = next(value)
    }
    return found
  }

  /// The first eight bytes of a key as a number that sorts as they do; `nil` for a key that is not in
  /// the file as it is, or is very long.
  @inline(__always)
  func head(ofKey key: Int) -> UInt64? {
    let word = words[key]
    let length = word &>> 32 & Self.usualMask
    guard length < Self.lengthLimit else { return nil }
    let offset = Int(truncatingIfNeeded: word & 0xFFFF_FFFF)
    guard offset &+ 8 <= input.count else { return headAtEnd(offset, Int(length)) }
    let head = UInt64(
      bigEndian: UnsafeRawPointer(bytes + offset).loadUnaligned(as: UInt64.self))
    return length < 8 ? head & ~(UInt64.max &>> (length &* 8)) : head
  }

  /// The same of a key with fewer than eight bytes before the end of the file.
  @inline(never)
  private func headAtEnd(_ offset: Int, _ length: Int) -> UInt64 {
    var head: UInt64 = 0
    for index in 0..<length { head |= UInt64(bytes[offset + index]) &<< UInt64(56 - index * 8) }
    return head
  }
}
