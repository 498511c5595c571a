import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles

/// An immutable table of values by name, stored as bytes sorted by name; a value is decoded when it
/// is read.
///
/// A property list of 100,000 settings becomes two blocks of 6 MB in total, in little more time
/// than validating it takes.
final class ValueTable: Sendable {
  /// Names and values in the format of ``BinaryValue``, sorted by name.
  private let entries: ByteBuffer
  /// A hash table of the entries' offsets, with linear probing: an offset plus one, or 0 in an
  /// empty slot. The size is a power of two, and at most two thirds of the slots are occupied.
  private let offsets: [UInt32]
  let count: Int

  static let empty = ValueTable([])

  private init(entries: consuming ByteBuffer, offsets: [UInt32], count: Int) {
    self.entries = entries
    self.offsets = offsets
    self.count = count
  }

  /// Parses an XML or binary property list.
  ///
  /// - Throws: `PropertyList.ParseError` if any value cannot be read.
  /// - Complexity: O(*n*) in the bytes if the names are sorted.
  convenience init(parsing bytes: [UInt8]) throws(PropertyList.ParseError) {
    var entries = ByteBuffer(capacity: bytes.count * 3 / 4 + 16)
    var count = 0
    var last: Range<Int>?
    var isInOrder = true
    try PropertyList.forEachEntry(parsing: bytes) { name, value in
      if isInOrder, let last {
        let bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(entries.bytes)[last])
        isInOrder = PropertyList.precedes(bytes.assumingMemoryBound(to: UInt8.self), name)
      }
      BinaryValue.write(utf8: name, into: &entries)
      last = entries.count - name.count..<entries.count
      switch value {
      case .text(let text): BinaryValue.write(text: text, into: &entries)
      case .value(let value): BinaryValue.write(value, into: &entries)
      }
      count += 1
    }
    let offsets = Self.offsets(of: entries, count: count)
    if isInOrder {
      self.init(entries: entries, offsets: offsets, count: count)
    } else {
      self.init(Array(ValueTable(entries: entries, offsets: offsets, count: count)))
    }
  }

  /// - Parameter entries: Values with different names.
  /// - Complexity: O(*n* log *n*).
  convenience init(_ entries: [(key: String, value: PropertyList.Value)]) {
    self.init(sortedEntries: entries.sorted { PropertyList.precedes($0.key, $1.key) })
  }

  /// - Parameter sortedEntries: The values, sorted by name, with different names.
  convenience init(
    sortedEntries: some Sequence<(key: String, value: PropertyList.Value)>
  ) {
    var entries = ByteBuffer(capacity: sortedEntries.underestimatedCount * 48 + 16)
    var count = 0
    for (key, value) in sortedEntries {
      BinaryValue.write(key, into: &entries)
      BinaryValue.write(value, into: &entries)
      count += 1
    }
    self.init(entries: entries, offsets: Self.offsets(of: entries, count: count), count: count)
  }

  subscript(name: SettingsName) -> PropertyList.Value? {
    var key = name.string
    return key.withUTF8 { key in
      let offset = offsets[Self.slot(of: key, name.hash, in: offsets, entries)]
      if offset == 0 { return nil }
      var reader = Self.reader(at: offset, in: entries)
      _ = reader.readUTF8()
      return reader.readValue()
    }
  }

  // MARK: Offsets

  /// Returns the hash table of all entries' offsets.
  private static func offsets(of entries: borrowing ByteBuffer, count: Int) -> [UInt32] {
    var size = 8
    while size * 2 < count * 3 { size *= 2 }
    var offsets = [UInt32](repeating: 0, count: size)
    let all = UnsafeRawBufferPointer(entries.bytes)
    var reader = BinaryValue.Reader(all)
    for _ in 0..<count {
      let offset = all.count - reader.count
      guard let name = reader.readUTF8() else { preconditionFailure("an entry has no name") }
      let slot = slot(of: name, SettingsName.hash(of: name), in: offsets, entries)
      precondition(offsets[slot] == 0, "two entries have the same name")
      offsets[slot] = UInt32(offset + 1)
      reader.skipValue()
    }
    return offsets
  }

  /// Returns the slot of a name's offset, or the empty slot for it.
  @inline(__always)
  private static func slot(
    of name: UnsafeBufferPointer<UInt8>, _ hash: UInt64, in offsets: [UInt32],
    _ entries: borrowing ByteBuffer
  ) -> Int {
    let mask = offsets.count - 1
    var slot = Int(truncatingIfNeeded: hash >> 1) & mask
    while offsets[slot] != 0 {
      var reader = reader(at: offsets[slot], in: entries)
      if let other = reader.readUTF8(), areEqual(name, other) { break }
      slot = (slot + 1) & mask
    }
    return slot
  }

  private static func reader(
    at offset: UInt32, in entries: borrowing ByteBuffer
  ) -> BinaryValue.Reader {
    BinaryValue.Reader(UnsafeRawBufferPointer(rebasing: entries.bytes[(Int(offset) - 1)...]))
  }

  @inline(__always)
  private static func areEqual(
    _ name: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    name.count == other.count
      && (name.isEmpty || memcmp(name.baseAddress!, other.baseAddress!, name.count) == 0)
  }
}

extension ValueTable: Sequence {
  struct Iterator: IteratorProtocol {
    fileprivate let table: ValueTable
    fileprivate var offset = 0

    mutating func next() -> (key: String, value: PropertyList.Value)? {
      let rest = UnsafeRawBufferPointer(rebasing: table.entries.bytes[offset...])
      var reader = BinaryValue.Reader(rest)
      guard let key = reader.readString(), let value = reader.readValue() else { return nil }
      offset += rest.count - reader.count
      return (key, value)
    }
  }

  /// The values in a dictionary.
  ///
  /// - Complexity: O(*n*).
  var valuesByName: [SettingsName: PropertyList.Value] {
    Dictionary(uniqueKeysWithValues: lazy.map { (SettingsName($0.key), $0.value) })
  }

  func makeIterator() -> Iterator { Iterator(table: self) }

  var underestimatedCount: Int { count }
}
