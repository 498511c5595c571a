extension JSON.EncodingState {
  /// Whether the entries of the innermost object have to be moved.
  func needsArrangement(from base: Int) -> Bool {
    guard records.count - base > 1 else { return false }
    return sortsKeys ? !isSorted(from: base) : hasDuplicates(frames.count - 1)
  }

  /// Sorts the entries of the innermost object if they are to be, and leaves of those with the
  /// same key the last.
  @inline(__always)
  mutating func arrangeEntries(from base: Int) {
    guard records.count &- base > 1 else { return }
    if sortsKeys {
      if !isSorted(from: base), !sortEntries(from: base) { rebuildEntries(from: base) }
    } else if hasDuplicates(frames.count &- 1) {
      rebuildEntries(from: base)
    }
  }

  /// A key without quotation marks and colon.
  @inline(__always)
  private func key(_ record: JSON.EncodingRecord) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: writer.base + record.start + 1, count: Int(record.keyLength) - 3)
  }

  // MARK: Keys that are there twice

  @inline(__always)
  func hasDuplicates(_ level: Int) -> Bool {
    guard frames[level].keySource == .any else { return false }
    let base = frames[level].recordBase
    let end = level + 1 < frames.count ? frames[level + 1].recordBase : records.count
    let records = UnsafeBufferPointer(start: records.base + base, count: end - base)
    guard records.count <= 48 else { return hasDuplicatesAmongMany(records) }
    var seen: UInt64 = 0
    for index in records.indices {
      let bit = 1 &<< UInt64(records[index].hash & 63) as UInt64
      if seen & bit != 0, isDuplicate(index, in: records) { return true }
      seen |= bit
    }
    return false
  }

  private func isDuplicate(_ index: Int, in records: UnsafeBufferPointer<JSON.EncodingRecord>)
    -> Bool
  {
    let hash = records[index].hash
    for other in 0..<index
    where records[other].hash == hash && haveSameKey(records[other], records[index]) {
      return true
    }
    return false
  }

  @inline(__always)
  private func haveSameKey(_ first: JSON.EncodingRecord, _ second: JSON.EncodingRecord) -> Bool {
    first.keyLength == second.keyLength && key(first).elementsEqual(key(second))
  }

  private func hasDuplicatesAmongMany(_ records: UnsafeBufferPointer<JSON.EncodingRecord>) -> Bool {
    // Open addressing, less than half full.
    let size = 1 << (Int.bitWidth - (records.count * 2).leadingZeroBitCount)
    return withUnsafeTemporaryAllocation(of: UInt32.self, capacity: size) { table in
      table.initialize(repeating: 0)
      for index in records.indices {
        var slot = Int(records[index].hash) & (size - 1)
        while table[slot] != 0 {
          let other = records[Int(table[slot]) - 1]
          if other.hash == records[index].hash, haveSameKey(other, records[index]) { return true }
          slot = (slot + 1) & (size - 1)
        }
        table[slot] = UInt32(truncatingIfNeeded: index + 1)
      }
      return false
    }
  }

  /// Writes the entries of the innermost object anew, each key once.
  @inline(never)
  private mutating func rebuildEntries(from base: Int) {
    let start = frames.last.pointee.start
    let node = JSON.EncodingNode(path: [])
    var parser = JSON.EncodingParser(end: writer.count)
    parser.fill(node, in: UnsafeBufferPointer(start: writer.base, count: writer.count), at: start)
    writer.truncate(to: start)
    node.write(to: &writer, sortsKeys: sortsKeys)
    // It is still to be closed.
    writer.truncate(to: writer.count - 2)
    writer.append(UInt8(ascii: ","))
  }

  // MARK: Sorting

  private struct SortedEntry {
    /// The first bytes of the key, the first one highest.
    var prefix: UInt64
    var index: Int
  }

  /// Whether every key comes before the next.
  private func isSorted(from base: Int) -> Bool {
    for index in (base + 1)..<records.count
    where order(records[index - 1], records[index]) >= 0 {
      return false
    }
    return true
  }

  /// Negative if one key comes before the other, zero if they are the same.
  private func order(_ first: JSON.EncodingRecord, _ second: JSON.EncodingRecord) -> Int {
    let firstKey = key(first)
    let secondKey = key(second)
    if hasEscape(firstKey) || hasEscape(secondKey) {
      let first = JSON.EncodingKeyOrder.unescaped(firstKey)
      let second = JSON.EncodingKeyOrder.unescaped(secondKey)
      return first == second ? 0 : first.lexicographicallyPrecedes(second) ? -1 : 1
    }
    for index in 0..<min(firstKey.count, secondKey.count) {
      if firstKey[index] != secondKey[index] { return firstKey[index] < secondKey[index] ? -1 : 1 }
    }
    return firstKey.count - secondKey.count
  }

  @inline(__always)
  private func hasEscape(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
    key.contains(UInt8(ascii: "\\"))
  }

  /// The first eight bytes of a key; zero if an escape may make them mean others.
  private func prefix(_ record: JSON.EncodingRecord) -> UInt64 {
    let key = key(record)
    var prefix: UInt64 = 0
    for index in 0..<min(key.count, 8) {
      prefix |= UInt64(key[index]) << UInt64(56 - index * 8)
    }
    return prefix
  }

  /// Moves the entries into their order, or returns `false` and moves none if a key is there twice.
  @inline(never)
  private mutating func sortEntries(from base: Int) -> Bool {
    let count = records.count - base
    let region = records[base].start
    let length = writer.count - region
    return withUnsafeTemporaryAllocation(of: SortedEntry.self, capacity: count) { entries in
      var hasEscapes = false
      for index in 0..<count {
        let record = records[base + index]
        hasEscapes = hasEscapes || hasEscape(key(record))
        entries.initializeElement(
          at: index, to: SortedEntry(prefix: prefix(record), index: base + index))
      }
      if hasEscapes { for index in 0..<count { entries[index].prefix = 0 } }
      var hasDuplicates = false
      sort(entries) { first, second in
        if first.prefix != second.prefix { return first.prefix < second.prefix }
        let order = order(records[first.index], records[second.index])
        if order == 0, first.index != second.index { hasDuplicates = true }
        return order < 0
      }
      if hasDuplicates { return false }
      withUnsafeTemporaryAllocation(byteCount: length, alignment: 1) { copy in
        copy.copyMemory(
          from: UnsafeRawBufferPointer(start: writer.base + region, count: length))
        var output = UnsafeMutableRawPointer(writer.base + region)
        for entry in entries {
          let start = records[entry.index].start - region
          let end =
            entry.index + 1 < records.count ? records[entry.index + 1].start - region : length
          output.copyMemory(from: copy.baseAddress! + start, byteCount: end - start)
          output += end - start
        }
      }
      return true
    }
  }

  /// Sorts by insertion what is short, as objects are.
  @inline(__always)
  private func sort(
    _ entries: UnsafeMutableBufferPointer<SortedEntry>,
    by isBefore: (SortedEntry, SortedEntry) -> Bool
  ) {
    guard entries.count <= 32 else {
      var entries = entries
      return entries.sort(by: isBefore)
    }
    for index in 1..<entries.count {
      let entry = entries[index]
      var hole = index
      while hole > 0, isBefore(entry, entries[hole - 1]) {
        entries[hole] = entries[hole - 1]
        hole -= 1
      }
      entries[hole] = entry
    }
  }
}
