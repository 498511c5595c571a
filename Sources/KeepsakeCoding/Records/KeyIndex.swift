/// Where the elements of dictionaries are, by their keys, for an encoder that asks for containers it
/// made before.
struct KeyIndex {
  private struct Entry {
    /// The last element that was looked at.
    var last = 0
    var elements: [[UInt8]: Int] = [:]
  }

  private var entries: [Int: Entry] = [:]

  /// Dictionaries with fewer elements are looked through.
  private static let minimumCount = 16

  /// The last element of a dictionary that has a key.
  ///
  /// - Complexity: O(1) for each element that was added since the last call for the dictionary.
  mutating func element(of record: Int, key: String, in records: Records) -> Int? {
    var key = key
    return key.withUTF8 { key in
      records.records[record].count < Self.minimumCount
        ? records.lastElement(of: record, key: key)
        : indexedElement(of: record, key: Array(key), in: records)
    }
  }

  private mutating func indexedElement(
    of record: Int, key: [UInt8], in records: Records
  ) -> Int? {
    var entry = entries.removeValue(forKey: record) ?? Entry()
    var element =
      entry.last == 0
      ? Int(UInt32(truncatingIfNeeded: records.records[record].payload))
      : Int(records.records[entry.last].next)
    while element != 0 {
      entry.elements[Array(records.keyBytes(element))] = element
      entry.last = element
      element = Int(records.records[element].next)
    }
    defer { entries[record] = entry }
    return entry.elements[key]
  }

  mutating func removeAll() { if !entries.isEmpty { entries.removeAll() } }
}

extension Records {
  fileprivate func lastElement(of record: Int, key: UnsafeBufferPointer<UInt8>) -> Int? {
    guard records[record].count > 0 else { return nil }
    var last: Int?
    var element = Int(UInt32(truncatingIfNeeded: records[record].payload))
    while element != 0 {
      if Int(records[element].keyLength) == key.count, keyBytes(element).elementsEqual(key) {
        last = element
      }
      element = Int(records[element].next)
    }
    return last
  }
}
