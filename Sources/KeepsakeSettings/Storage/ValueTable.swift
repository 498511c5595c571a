import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles

/// Values by name that never change: kept as bytes in the order of their names, and made when they
/// are asked for.
///
/// A property list of 100,000 settings becomes two blocks of 6 MB together, in little more time than
/// it takes to check that it can be read.
final class ValueTable: Sendable {
  /// Names and values as ``BinaryValue`` writes them, one after the other.
  private let entries: ByteBuffer
  /// Where the entries are, searched from where a name's hash points to: an offset plus one, or 0. The
  /// size is a power of two, and at most two thirds are taken.
  private let places: [UInt32]
  let count: Int

  /// No values.
  static let empty = ValueTable([:])

  private init(entries: consuming ByteBuffer, places: [UInt32], count: Int) {
    self.entries = entries
    self.places = places
    self.count = count
  }

  /// The values of an XML property list.
  ///
  /// - Throws: `PropertyList.ParseError` where any of them cannot be read.
  /// - Complexity: O(*n*) in the bytes, where the names are in the order in which they are written.
  convenience init(parsingXML bytes: [UInt8]) throws(PropertyList.ParseError) {
    var entries = ByteBuffer(capacity: bytes.count * 3 / 4 + 16)
    var count = 0
    var last: Range<Int>?
    var isInOrder = true
    try PropertyList.forEachEntry(parsingXML: bytes) { name, value in
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
    if isInOrder, let places = Self.places(of: entries, count: count) {
      self.init(entries: entries, places: places, count: count)
    } else {
      self.init(try PropertyList.dictionary(parsingXML: bytes))
    }
  }

  /// - Complexity: O(*n* log *n*).
  convenience init(_ values: [String: PropertyList.Value]) {
    self.init(sortedEntries: PropertyList.sortedEntries(values))
  }

  /// - Parameter sortedEntries: The values, in the order in which they are written.
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
    guard let places = Self.places(of: entries, count: count) else {
      preconditionFailure("two of the sorted entries have the same key")
    }
    self.init(entries: entries, places: places, count: count)
  }

  /// The value of a name.
  subscript(name: SettingsName) -> PropertyList.Value? {
    var key = name.string
    return key.withUTF8 { key in
      let place = places[Self.place(of: key, name.hash, in: places, entries)]
      if place == 0 { return nil }
      var reader = Self.reader(at: place, in: entries)
      _ = reader.readUTF8()
      return reader.readValue()
    }
  }

  // MARK: Places

  /// The places of all entries; `nil` where two have the same name.
  private static func places(of entries: borrowing ByteBuffer, count: Int) -> [UInt32]? {
    var size = 8
    while size * 2 < count * 3 { size *= 2 }
    var places = [UInt32](repeating: 0, count: size)
    let all = UnsafeRawBufferPointer(entries.bytes)
    var reader = BinaryValue.Reader(all)
    for _ in 0..<count {
      let offset = all.count - reader.count
      guard let name = reader.readUTF8() else { return nil }
      let hash =
        SettingsName.hash(ofASCII: name) ?? SettingsName(String(decoding: name, as: UTF8.self)).hash
      let place = place(of: name, hash, in: places, entries)
      if places[place] != 0 { return nil }
      places[place] = UInt32(offset + 1)
      reader.skipValue()
    }
    return places
  }

  /// Where the place of a name is kept, or would be.
  @inline(__always)
  private static func place(
    of name: UnsafeBufferPointer<UInt8>, _ hash: UInt64, in places: [UInt32],
    _ entries: borrowing ByteBuffer
  ) -> Int {
    let mask = places.count - 1
    var place = Int(truncatingIfNeeded: hash >> 1) & mask
    while places[place] != 0 {
      var reader = reader(at: places[place], in: entries)
      if let other = reader.readUTF8(), areEqual(name, other) { break }
      place = (place + 1) & mask
    }
    return place
  }

  private static func reader(
    at place: UInt32, in entries: borrowing ByteBuffer
  ) -> BinaryValue.Reader {
    BinaryValue.Reader(UnsafeRawBufferPointer(rebasing: entries.bytes[(Int(place) - 1)...]))
  }

  @inline(__always)
  private static func areEqual(
    _ name: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    if name.count == other.count {
      if name.isEmpty || memcmp(name.baseAddress!, other.baseAddress!, name.count) == 0 {
        return true
      }
    }
    // One text has several spellings outside ASCII.
    if SettingsName.hash(ofASCII: name) != nil { return false }
    return String(decoding: name, as: UTF8.self) == String(decoding: other, as: UTF8.self)
  }
}

extension ValueTable: Sequence {
  /// Goes through names and values in order.
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

  func makeIterator() -> Iterator { Iterator(table: self) }

  var underestimatedCount: Int { count }
}
