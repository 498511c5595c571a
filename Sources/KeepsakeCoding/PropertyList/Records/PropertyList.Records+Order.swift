extension PropertyList.Records {
  /// The elements of a dictionary in the order in which they are written: by the UTF-8 bytes of
  /// their keys. Of two equal keys the one that was added last counts.
  ///
  /// - Parameter elements: Takes the elements, after those that it holds.
  func appendSortedElements(of record: Int, to elements: inout GrowingBuffer<Int>) {
    let start = elements.count
    appendElements(of: record, to: &elements)
    let count = elements.count - start
    guard count > 1 else { return }
    let part = UnsafeMutableBufferPointer(start: elements.base + start, count: count)
    if count <= 24 { insertionSort(part) } else { sort(part) }
    removeEqualKeys(from: start, in: &elements)
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
    var element: Int
  }

  /// Sorts many; equal keys are kept in their order by the order of the records.
  private func sort(_ elements: UnsafeMutableBufferPointer<Int>) {
    withUnsafeTemporaryAllocation(of: SortedElement.self, capacity: elements.count) { sorted in
      for index in elements.indices {
        let element = elements[index]
        sorted.initializeElement(
          at: index, to: SortedElement(prefix: records[element].prefix, element: element))
      }
      var sorted = sorted
      sorted.sort { element, other in
        if element.prefix != other.prefix { return element.prefix < other.prefix }
        let (first, second) = (element.element, other.element)
        if precedes(first, second) { return true }
        return first < second && !precedes(second, first)
      }
      for index in elements.indices { elements[index] = sorted[index].element }
    }
  }

  @inline(__always)
  private func removeEqualKeys(from start: Int, in elements: inout GrowingBuffer<Int>) {
    var kept = start
    for index in (start + 1)..<elements.count {
      if records[elements[kept]].prefix != records[elements[index]].prefix
        || records[elements[kept]].keyLength != records[elements[index]].keyLength
        || !keyBytes(elements[kept]).elementsEqual(keyBytes(elements[index]))
      {
        kept += 1
      }
      elements[kept] = elements[index]
    }
    elements.truncate(to: kept + 1)
  }
}
