extension EncodingState {
  /// Whether the entries of the innermost object have to be moved.
  @inline(__always)
  func needsArrangement(from base: Int) -> Bool {
    guard entries.count &- base > 1 else { return false }
    return sortsKeys ? !isSorted(from: base) : hasDuplicates(frames.count &- 1)
  }

  /// Sorts the entries of the innermost object if they are to be sorted; of those with the same key
  /// the last counts, at the position of the first.
  @inline(__always)
  mutating func arrangeEntries(from base: Int) {
    if needsArrangement(from: base) { moveEntries(from: base) }
  }

  /// A key without quotation marks and colon.
  @inline(__always)
  private func key(_ entry: EncodingEntry) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: writer.base + entry.start + 1, count: Int(entry.keyLength) - 3)
  }

  // MARK: Keys that are there twice

  @inline(__always)
  func hasDuplicates(_ level: Int) -> Bool {
    guard frames[level].keySource == .any else { return false }
    let base = frames[level].entryBase
    let end = level + 1 < frames.count ? frames[level + 1].entryBase : entries.count
    let entries = UnsafeBufferPointer(start: entries.base + base, count: end - base)
    guard entries.count <= 48 else { return hasDuplicatesAmongMany(entries) }
    var seen: UInt64 = 0
    for index in entries.indices {
      let bit = 1 &<< UInt64(entries[index].hash & 63) as UInt64
      if seen & bit != 0, isDuplicate(index, in: entries) { return true }
      seen |= bit
    }
    return false
  }

  private func isDuplicate(_ index: Int, in entries: UnsafeBufferPointer<EncodingEntry>)
    -> Bool
  {
    let hash = entries[index].hash
    for other in 0..<index
    where entries[other].hash == hash && haveSameKey(entries[other], entries[index]) {
      return true
    }
    return false
  }

  @inline(__always)
  private func haveSameKey(_ first: EncodingEntry, _ second: EncodingEntry) -> Bool {
    first.keyLength == second.keyLength && key(first).elementsEqual(key(second))
  }

  private func hasDuplicatesAmongMany(_ entries: UnsafeBufferPointer<EncodingEntry>) -> Bool {
    // Open addressing, less than half full.
    let size = 1 << (Int.bitWidth - (entries.count * 2).leadingZeroBitCount)
    return withUnsafeTemporaryAllocation(of: UInt32.self, capacity: size) { table in
      table.initialize(repeating: 0)
      for index in entries.indices {
        var slot = Int(entries[index].hash) & (size - 1)
        while table[slot] != 0 {
          let other = entries[Int(table[slot]) - 1]
          if other.hash == entries[index].hash, haveSameKey(other, entries[index]) { return true }
          slot = (slot + 1) & (size - 1)
        }
        table[slot] = UInt32(truncatingIfNeeded: index + 1)
      }
      return false
    }
  }

  // MARK: Sorting

  private struct SortedEntry {
    /// The first bytes of the key, the first one highest.
    var prefix: UInt64
    var index: Int
    /// The first entry with the same key.
    var first: Int
  }

  /// Whether every key comes before the next.
  private func isSorted(from base: Int) -> Bool {
    for index in (base + 1)..<entries.count
    where order(entries[index - 1], entries[index]) >= 0 {
      return false
    }
    return true
  }

  /// Negative if one key comes before the other, zero if they are the same.
  private func order(_ first: EncodingEntry, _ second: EncodingEntry) -> Int {
    let firstKey = key(first)
    let secondKey = key(second)
    if hasEscape(firstKey) || hasEscape(secondKey) {
      let first = WrittenKey.unescaped(firstKey)
      let second = WrittenKey.unescaped(secondKey)
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
  private func prefix(_ entry: EncodingEntry) -> UInt64 {
    let key = key(entry)
    var prefix: UInt64 = 0
    for index in 0..<min(key.count, 8) {
      prefix |= UInt64(key[index]) << UInt64(56 - index * 8)
    }
    return prefix
  }

  @inline(never)
  private mutating func moveEntries(from base: Int) {
    let count = entries.count - base
    let region = entries[base].start
    let length = writer.count - region
    withUnsafeTemporaryAllocation(of: SortedEntry.self, capacity: count) { sorted in
      var hasEscapes = false
      for index in 0..<count {
        let entry = entries[base + index]
        hasEscapes = hasEscapes || hasEscape(key(entry))
        sorted.initializeElement(
          at: index,
          to: SortedEntry(prefix: prefix(entry), index: base + index, first: base + index))
      }
      if hasEscapes { for index in 0..<count { sorted[index].prefix = 0 } }
      sort(sorted) { first, second in
        if first.prefix != second.prefix { return first.prefix < second.prefix }
        let order = order(entries[first.index], entries[second.index])
        return order == 0 ? first.index < second.index : order < 0
      }
      var kept = 0
      for index in 1..<count {
        if order(entries[sorted[kept].index], entries[sorted[index].index]) == 0 {
          sorted[kept].index = sorted[index].index
        } else {
          kept += 1
          sorted[kept] = sorted[index]
        }
      }
      let arranged = UnsafeMutableBufferPointer(rebasing: sorted[...kept])
      if !sortsKeys { sort(arranged) { $0.first < $1.first } }
      withUnsafeTemporaryAllocation(byteCount: length, alignment: 1) { copy in
        copy.copyMemory(
          from: UnsafeRawBufferPointer(start: writer.base + region, count: length))
        var output = UnsafeMutableRawPointer(writer.base + region)
        for entry in arranged {
          let start = entries[entry.index].start - region
          let end =
            entry.index + 1 < entries.count ? entries[entry.index + 1].start - region : length
          output.copyMemory(from: copy.baseAddress! + start, byteCount: end - start)
          output += end - start
        }
        writer.truncate(to: output - UnsafeMutableRawPointer(writer.base))
      }
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
