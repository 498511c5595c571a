/// Which record of an encoding was the first to have each key of a type, by the byte that the key is.
///
/// The key of that record is the key of all, so that its text is not requested again.
struct RecordKeys {
  private struct Entry {
    /// The encoding that the record belongs to.
    var encoding: UInt64 = 0
    var record = 0
  }

  /// There is no entry for the keys with a higher byte.
  private static var capacity: Int { 64 }
  private var entries: UnsafeMutablePointer<Entry>?

  func free() { entries?.deallocate() }

  /// The first record with a key.
  ///
  /// - Parameter encoding: A number that no other encoding has; none is zero.
  @inline(__always)
  func record(of byte: Int, in encoding: UInt64) -> Int? {
    guard byte < Self.capacity, let entries, entries[byte].encoding == encoding else { return nil }
    return entries[byte].record
  }

  /// Notes the first record with a key.
  @inline(__always)
  mutating func note(_ byte: Int, record: Int, in encoding: UInt64) {
    guard byte < Self.capacity else { return }
    let entries = entries ?? makeEntries()
    entries[byte] = Entry(encoding: encoding, record: record)
  }

  @inline(never)
  private mutating func makeEntries() -> UnsafeMutablePointer<Entry> {
    let entries = UnsafeMutablePointer<Entry>.allocate(capacity: Self.capacity)
    entries.initialize(repeating: Entry(), count: Self.capacity)
    self.entries = entries
    return entries
  }
}
