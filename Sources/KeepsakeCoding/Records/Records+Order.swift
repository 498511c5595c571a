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
  /// the one that was added last counts, at the position of the first.
  ///
  /// - Parameter elements: Takes the elements, after those that it holds.
  func appendUniqueElements(of record: Int, to elements: inout GrowingBuffer<Int>) {
    let groups = equalKeys(of: record)
    guard !groups.isEmpty else { return appendElements(of: record, to: &elements) }
    for element in self.elements(of: record, replacing: groups.map { ($0, $0[$0.count - 1]) }) {
      elements.append(element)
    }
  }

  /// The elements of a container, where each group of them is replaced by one at its first position.
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

  // MARK: Sorting

  /// An element, and what tells its key from most others.
  private struct SortedElement: BitwiseCopyable {
    var prefix: UInt64
    var element: UInt32
    /// Its position among the elements, in whose order equal keys stay: one that took long to encode
    /// has an earlier record than those that were added meanwhile.
    var position: UInt32
  }

  /// Sorts elements by their keys, equal keys as they were.
  private func sort(_ elements: UnsafeMutableBufferPointer<Int>) {
    let count = elements.count
    withUnsafeTemporaryAllocation(of: SortedElement.self, capacity: count) { sorted in
      for position in elements.indices {
        sorted.initializeElement(
          at: position,
          to: SortedElement(
            prefix: records[elements[position]].prefix,
            element: UInt32(truncatingIfNeeded: elements[position]),
            position: UInt32(truncatingIfNeeded: position)))
      }
      if count <= Self.maximumInserted { insertionSort(sorted) } else { sortMany(sorted) }
      for position in elements.indices { elements[position] = Int(sorted[position].element) }
    }
  }

  /// So many elements are sorted faster by insertion.
  private static var maximumInserted: Int { 48 }

  @inline(__always)
  private func precedes(_ element: SortedElement, _ other: SortedElement) -> Bool {
    if element.prefix != other.prefix { return element.prefix < other.prefix }
    return keyPrecedes(element, other)
  }

  @inline(never)
  private func keyPrecedes(_ element: SortedElement, _ other: SortedElement) -> Bool {
    ByteComparison.precedes(keyBytes(Int(element.element)), keyBytes(Int(other.element)))
  }

  private func insertionSort(_ elements: UnsafeMutableBufferPointer<SortedElement>) {
    for index in 1..<elements.count {
      let element = elements[index]
      var position = index
      while position > 0, precedes(element, elements[position - 1]) {
        elements[position] = elements[position - 1]
        position -= 1
      }
      elements[position] = element
    }
  }

  /// Sorts by prefix, and then the elements that have the same one.
  private func sortMany(_ elements: UnsafeMutableBufferPointer<SortedElement>) {
    sortByPrefix(elements)
    var start = 0
    for index in 1...elements.count {
      if index < elements.count, elements[index].prefix == elements[start].prefix { continue }
      if index - start > Self.maximumInserted {
        var alike = UnsafeMutableBufferPointer(rebasing: elements[start..<index])
        alike.sort { element, other in
          if keyPrecedes(element, other) { return true }
          return element.position < other.position && !keyPrecedes(other, element)
        }
      } else if index - start > 1 {
        insertionSort(UnsafeMutableBufferPointer(rebasing: elements[start..<index]))
      }
      start = index
    }
  }

  /// Sorts by prefix, a byte at a time from the lowest on; bytes that all have are passed over.
  private func sortByPrefix(_ elements: UnsafeMutableBufferPointer<SortedElement>) {
    var varying: UInt64 = 0
    for element in elements { varying |= element.prefix ^ elements[0].prefix }
    withUnsafeTemporaryAllocation(of: SortedElement.self, capacity: elements.count) { other in
      var (source, target) = (elements, other)
      for shift in stride(from: 0 as UInt64, to: 64, by: 8) where varying &>> shift & 0xFF != 0 {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: 256) { positions in
          positions.initialize(repeating: 0)
          for element in source { positions[Int(element.prefix &>> shift & 0xFF)] &+= 1 }
          var position = 0
          for byte in 0..<256 {
            let count = positions[byte]
            positions[byte] = position
            position &+= count
          }
          for element in source {
            let byte = Int(element.prefix &>> shift & 0xFF)
            target.initializeElement(at: positions[byte], to: element)
            positions[byte] &+= 1
          }
        }
        swap(&source, &target)
      }
      if source.baseAddress != elements.baseAddress {
        _ = elements.update(fromContentsOf: source)
      }
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
