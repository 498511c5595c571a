/// A hash table of elements by setting name, with open addressing and linear probing.
struct NameTable<Element: Sendable>: Sendable {
  private struct Entry {
    var name: SettingsName
    var element: Element
  }

  /// The entries' hashes, with the highest bit set; 0 in an empty slot. The size is a power of two,
  /// and at most two thirds of the slots are occupied.
  private var hashes: [UInt64] = []
  private var entries: [Entry?] = []
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  subscript(name: SettingsName) -> Element? {
    guard let position = position(of: name) else { return nil }
    return entries[position].unsafelyUnwrapped.element
  }

  /// Calls a closure with an element, which is not copied; returns `nil` if there is none.
  @inline(__always)
  func read<Result>(_ name: SettingsName, _ body: (borrowing Element) -> Result) -> Result? {
    guard let position = position(of: name) else { return nil }
    return body(entries[position].unsafelyUnwrapped.element)
  }

  mutating func set(_ element: Element, for name: SettingsName) {
    if let position = position(of: name) {
      entries[position]!.element = element
      return
    }
    reserve(1)
    insert(Entry(name: name, element: element))
  }

  /// Makes room for more elements.
  ///
  /// Elements that are added in the order of another table first fill one part of a table without
  /// enough room, and the time to add them grows with the square of their number.
  mutating func reserve(_ count: Int) {
    if (self.count + count) * 3 > entries.count * 2 { grow(toHold: self.count + count) }
  }

  func forEach(_ body: (SettingsName, Element) -> Void) {
    for case let entry? in entries { body(entry.name, entry.element) }
  }

  private static func stored(_ hash: UInt64) -> UInt64 { hash | 1 << 63 }

  @inline(__always)
  private func position(of name: SettingsName) -> Int? {
    if hashes.isEmpty { return nil }
    let mask = hashes.count - 1
    let hash = Self.stored(name.hash)
    var position = Int(truncatingIfNeeded: hash >> 1) & mask
    while hashes[position] != 0 {
      if hashes[position] == hash, entries[position].unsafelyUnwrapped.name == name {
        return position
      }
      position = (position + 1) & mask
    }
    return nil
  }

  private mutating func insert(_ entry: Entry) {
    let mask = hashes.count - 1
    let hash = Self.stored(entry.name.hash)
    var position = Int(truncatingIfNeeded: hash >> 1) & mask
    while hashes[position] != 0 { position = (position + 1) & mask }
    hashes[position] = hash
    entries[position] = entry
    count += 1
  }

  private mutating func grow(toHold count: Int) {
    let old = entries
    var size = max(8, old.count)
    while count * 3 > size * 2 { size *= 2 }
    hashes = Array(repeating: 0, count: size)
    entries = Array(repeating: nil, count: size)
    self.count = 0
    for case let entry? in old { insert(entry) }
  }
}
