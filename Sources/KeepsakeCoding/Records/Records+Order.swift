extension Records {
  /// The elements of a dictionary in the order in which they are written: by the UTF-8 bytes of
  /// their keys. Of two equal keys the one that was added last counts.
  ///
  /// - Parameter elements: Takes the elements, after those that it holds.
  func appendSortedElements(of record: Int, to elements: inout GrowingBuffer<Int>) {
    let start = elements.count
    appendElements(of: record, to: &elements)
    guard elements.count - start > 1 else { return }
    sort(
      UnsafeMutableBufferPointer(
        start: elements.base + start, count: elements.count - start))
    removeEqualKeys(from: start, in: &elements)
  }

  /// The elements of a dictionary in the order in which they were added. Of several with equal keys
  /// the one that was added last counts, in the place of the first.
  ///
  /// - Parameter elements: Takes the elements, after those that it holds.
  func appendUniqueElements(of record: Int, to elements: inout GrowingBuffer<Int>) {
    let groups = equalKeys(of: record)
    guard !groups.isEmpty else { return appendElements(of: record, to: &elements) }
    for element in self.elements(of: record, replacing: groups.map { ($0, $0[$0.count - 1]) }) {
      elements.append(element)
    }
  }

  /// The elements of a container, where each group of them is replaced by one in its first place.
  func elements(
    of record: Int, replacing groups: [(group: [Int], by: Int)]
  ) -> [Int] {
    var replacements: [Int: Int] = [:]
    var dropped: Set<Int> = []
    for (group, replacement) in groups {
      replacements[group[0]] = replacement
      dropped.formUnion(group.dropFirst())
    }
    return elements(of: record).filter { !dropped.contains($0) }.map { replacements[$0] ?? $0 }
  }

  /// The elements of a dictionary that have equal keys: each group in the order of adding.
  func equalKeys(of record: Int) -> [[Int]] {
    var elements = elements(of: record)
    guard elements.count > 1 else { return [] }
    elements.withUnsafeMutableBufferPointer { sort($0) }
    var groups: [[Int]] = []
    var start = 0
    for index in 1...elements.count {
      if index < elements.count, haveEqualKeys(elements[start], elements[index]) { continue }
      if index - start > 1 { groups.append((start..<index).map { elements[$0] }) }
      start = index
    }
    return groups
  }

  private func sort(_ elements: UnsafeMutableBufferPointer<Int>) {
    if elements.count <= 24 { insertionSort(elements) } else { sortMany(elements) }
  }

  @inline(__always)
  private func precedes(_ element: Int, _ other: Int) -> Bool {
    let (prefix, otherPrefix) = (records[element].prefix, records[other].prefix)
    if prefix != otherPrefix { return prefix < otherPrefix }
    return ByteComparison.precedes(keyBytes(element), keyBytes(other))
  }

  private func insertionSort(_ elements: UnsafeMutableBufferPointer<Int>) {
    for index in 1..<elements.count {
      let element = elements[index]
      var place = index
      while place > 0, precedes(element, elements[place - 1]) {
        elements[place] = elements[place - 1]
        place -= 1
      }
      elements[place] = element
    }
  }

  /// An element, and what tells its key from most others.
  private struct SortedElement: BitwiseCopyable {
    var prefix: UInt64
    var element: UInt32
    /// Its place among the elements, in whose order equal keys stay: one that took long to encode
    /// has an earlier record than those that were added meanwhile.
    var place: UInt32
  }

  private func sortMany(_ elements: UnsafeMutableBufferPointer<Int>) {
    withUnsafeTemporaryAllocation(of: SortedElement.self, capacity: elements.count) { sorted in
      for place in elements.indices {
        let element = elements[place]
        sorted.initializeElement(
          at: place,
          to: SortedElement(
            prefix: records[element].prefix, element: UInt32(truncatingIfNeeded: element),
            place: UInt32(truncatingIfNeeded: place)))
      }
      var sorted = sorted
      sorted.sort { element, other in
        if element.prefix != other.prefix { return element.prefix < other.prefix }
        let (first, second) = (Int(element.element), Int(other.element))
        if precedes(first, second) { return true }
        return element.place < other.place && !precedes(second, first)
      }
      for index in elements.indices { elements[index] = Int(sorted[index].element) }
    }
  }

  @inline(__always)
  private func removeEqualKeys(from start: Int, in elements: inout GrowingBuffer<Int>) {
    var kept = start
    for index in (start + 1)..<elements.count {
      if !haveEqualKeys(elements[kept], elements[index]) { kept += 1 }
      elements[kept] = elements[index]
    }
    elements.truncate(to: kept + 1)
  }

  @inline(__always)
  private func haveEqualKeys(_ element: Int, _ other: Int) -> Bool {
    records[element].prefix == records[other].prefix
      && records[element].keyLength == records[other].keyLength
      && keyBytes(element).elementsEqual(keyBytes(other))
  }
}
