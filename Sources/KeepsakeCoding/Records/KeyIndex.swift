/// Where the elements of dictionaries are, by their keys, for an encoder that asks for containers it
/// made before.
struct KeyIndex {
  private struct Entry {
    /// The last element that was looked at.
    var last = 0
    var elements: [[UInt8]: Int] = [:]
  }

  private var entries: [Int: Entry] = [:]

  /// The last element of a dictionary that has a key.
  ///
  /// - Complexity: O(1) for each element that was added since the last call for the dictionary.
  mutating func element(of record: Int, key: String, in records: Records) -> Int? {
    guard records.records[record].count > 0 else { return nil }
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
    return entry.elements[Array(key.utf8)]
  }

  mutating func removeAll() { if !entries.isEmpty { entries.removeAll() } }
}
