#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PropertyList.Tape {
  /// The keys and indices that lead to an entry.
  ///
  /// They are found by going down to it: nothing is kept while all goes well.
  mutating func path(to target: Int) -> [PathKey] {
    var path: [PathKey] = []
    var container = 0
    while container != target {
      let isDictionary = kind(container) == .dictionary
      var (index, position) = (container + 1, 0)
      if lastStep.container == container, lastStep.index <= target {
        (index, position) = (lastStep.index, lastStep.position)
      }
      while index < end(of: container) {
        let next = end(of: isDictionary ? index + 1 : index)
        if target < next { break }
        index = next
        position += 1
      }
      guard index < end(of: container) else { return path }
      // The next fault is mostly in a later element of the longest container.
      if position > 64 { lastStep = (container, index, position) }
      path.append(isDictionary ? PathKey(key: text(of: entries[index])) : PathKey(index: position))
      if target == index { return path }
      container = isDictionary ? index + 1 : index
    }
    return path
  }

  /// Where a value stands in the file, in words, if there is a file.
  mutating func place(of index: Int) -> String? {
    guard format != nil else { return nil }
    let entry = entries[index]
    // Text of the heap does not know where it came from; what is before it does.
    guard entry.head & Entry.isInHeap == 0 else {
      return index > 0 ? place(of: index - 1).map { "after \($0)" } : nil
    }
    return place(atOffset: entry.offset)
  }

  /// A place in the file, in words.
  mutating func place(atOffset offset: Int) -> String {
    if format == .binary { return "byte \(offset)" }
    lastPlace.move(to: offset, in: UnsafeBufferPointer(start: source, count: sourceCount))
    return "line \(lastPlace.line), column \(lastPlace.column)"
  }

  /// What a value is called in a message.
  func description(of index: Int) -> String {
    if isNull(index) { return "null" }
    switch kind(index) {
    case .null: return "null"
    case .false, .true: return "a boolean"
    case .integer, .unsigned: return "an integer"
    case .real: return "a real number"
    case .date: return "a date"
    case .data: return "a data value"
    case .string: return "a string"
    case .array: return "an array"
    case .dictionary: return "a dictionary"
    }
  }
}
