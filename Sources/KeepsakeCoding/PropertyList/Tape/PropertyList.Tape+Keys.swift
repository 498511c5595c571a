extension PropertyList.Tape {
  /// The value of a key in a dictionary.
  ///
  /// Keys are mostly asked for in the order in which they stand, so the search starts after the
  /// key that was found last.
  @inline(__always)
  func value(of key: String, in dictionary: Int) -> Int? {
    var key = key
    let found = key.withUTF8 { bytes -> Int in
      let word =
        bytes.baseAddress.map { Self.word(of: $0, count: bytes.count) } ?? 0
      let (end, next) = (entries[dictionary].length, Int(entries[dictionary].payload >> 32))
      var index = next
      while index < end {
        if isKey(index, bytes, word) { return index }
        index = self.end(of: index &+ 1)
      }
      index = dictionary &+ 1
      while index < next {
        if isKey(index, bytes, word) { return index }
        index = self.end(of: index &+ 1)
      }
      return -1
    }
    if found >= 0 {
      let next = self.end(of: found &+ 1)
      entries[dictionary].payload =
        UInt64(UInt32(truncatingIfNeeded: entries[dictionary].payload))
        | UInt64(truncatingIfNeeded: next) << 32
      return found &+ 1
    }
    return key.utf8.allSatisfy { $0 < 0x80 } ? nil : valueOfEquivalent(key, in: dictionary)
  }

  @inline(__always)
  private func isKey(_ index: Int, _ key: UnsafeBufferPointer<UInt8>, _ word: UInt64) -> Bool {
    let entry = entries[index]
    guard entry.payload == word else { return false }
    if key.count <= 4 { return true }
    return ByteComparison.areEqual(bytes(of: entry), key.baseAddress!, key.count)
  }

  /// The value of a key that Swift holds to be the same, in another spelling.
  @inline(never)
  private func valueOfEquivalent(_ key: String, in dictionary: Int) -> Int? {
    var index = dictionary + 1
    var found: Int?
    while index < entries[dictionary].length {
      let entry = entries[index]
      if entry.head & Entry.isASCII == 0, !isSuperseded(index), text(of: entry) == key {
        found = index + 1
      }
      index = end(of: index + 1)
    }
    return found
  }

  // MARK: Equal keys

  /// What stands in place of the word of a key whose value does not count.
  private static let superseded = UInt64.max

  @inline(__always)
  func isSuperseded(_ key: Int) -> Bool { entries[key].payload == Self.superseded }

  /// Sees to it that of two equal keys only the last is found.
  @inline(__always)
  func supersedeEqualKeys(of dictionary: Int, count: Int) {
    if count < 2 || areKeysAscending(dictionary) { return }
    if count <= 12 {
      supersedePairwise(dictionary)
    } else {
      supersedeHashed(dictionary, count: count)
    }
  }

  /// Whether every key is written before the next, as in most files: then no two are equal.
  @inline(__always)
  private func areKeysAscending(_ dictionary: Int) -> Bool {
    var index = dictionary &+ 1
    let end = self.end(of: dictionary)
    var last: Entry?
    while index < end {
      let entry = entries[index]
      if let last, !precedes(last, entry) { return false }
      last = entry
      index = self.end(of: index &+ 1)
    }
    return true
  }

  @inline(__always)
  private func precedes(_ key: Entry, _ other: Entry) -> Bool {
    // The first four bytes are at hand.
    let start = UInt32(truncatingIfNeeded: key.payload >> 32).byteSwapped
    let otherStart = UInt32(truncatingIfNeeded: other.payload >> 32).byteSwapped
    if start != otherStart { return start < otherStart }
    return PropertyList.precedes(
      UnsafeBufferPointer(start: bytes(of: key), count: key.length),
      UnsafeBufferPointer(start: bytes(of: other), count: other.length))
  }

  @inline(never)
  private func supersedePairwise(_ dictionary: Int) {
    var index = dictionary + 1
    let end = self.end(of: dictionary)
    while index < end {
      let entry = entries[index]
      var earlier = dictionary + 1
      while earlier < index {
        if entries[earlier].payload == entry.payload { supersede(earlier, ifEqualTo: entry) }
        earlier = self.end(of: earlier + 1)
      }
      index = self.end(of: index + 1)
    }
  }

  private func supersede(_ earlier: Int, ifEqualTo entry: Entry) {
    let other = entries[earlier]
    guard ByteComparison.areEqual(bytes(of: entry), bytes(of: other), entry.length) else { return }
    entries[earlier].payload = Self.superseded
  }

  /// Another number in every process, so that no file can be made whose keys all collide.
  private static let seed = UInt64.random(in: .min ... .max) | 1

  @inline(never)
  private func supersedeHashed(_ dictionary: Int, count: Int) {
    var slotCount = 32
    while slotCount < count * 2 { slotCount *= 2 }
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: slotCount) { slots in
      slots.initialize(repeating: 0)
      var index = dictionary + 1
      let end = self.end(of: dictionary)
      while index < end {
        let entry = entries[index]
        var slot = Int(truncatingIfNeeded: Self.hash(bytes(of: entry), count: entry.length))
        while true {
          slot &= slotCount - 1
          if slots[slot] == 0 { break }
          let earlier = Int(slots[slot])
          if entries[earlier].payload == entry.payload {
            supersede(earlier, ifEqualTo: entry)
            if isSuperseded(earlier) { break }
          }
          slot += 1
        }
        slots[slot] = UInt32(truncatingIfNeeded: index)
        index = self.end(of: index + 1)
      }
    }
  }

  @inline(__always)
  static func hash(_ bytes: UnsafePointer<UInt8>, count: Int) -> UInt64 {
    var hash = seed &+ UInt64(count)
    var offset = 0
    while offset < count {
      let left = count - offset
      var word: UInt64 = 0
      if left >= 8 {
        word = UnsafeRawPointer(bytes + offset).loadUnaligned(as: UInt64.self)
      } else {
        for index in 0..<left { word |= UInt64(bytes[offset + index]) << UInt64(8 * index) }
      }
      let product = (hash ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
      hash = product.high ^ product.low &+ seed
      offset += 8
    }
    return hash
  }
}
