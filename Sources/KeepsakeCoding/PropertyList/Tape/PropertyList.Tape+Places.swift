#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PropertyList.Tape {
  /// The keys and indices that lead to an entry.
  ///
  /// They are found by going down to it: nothing is kept while all goes well.
  mutating func path(to target: Int) -> [any CodingKey] {
    var path: [any CodingKey] = []
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
      path.append(
        isDictionary ? key(at: index, in: container) : AnyCodingKey(index: position))
      if target == index { return path }
      container = isDictionary ? index + 1 : index
    }
    return path
  }

  /// A key as the type knows it.
  private mutating func key(at index: Int, in dictionary: Int) -> any CodingKey {
    let type = (entries[dictionary].head & Entry.keyTypeMask) >> Entry.keyTypeShift
    return KeyTypes.key(text(of: entries[index]), number: UInt32(type))
  }

  /// Notes the type that a dictionary's keys are requested by.
  @inline(__always)
  mutating func noteKeyType(_ number: UInt32, of dictionary: Int) {
    let bits = (UInt64(number) << Entry.keyTypeShift) & Entry.keyTypeMask
    entries[dictionary].head = (entries[dictionary].head & ~Entry.keyTypeMask) | bits
  }

  /// Where a value stands in the file, if there is a file, or what is before it.
  mutating func location(of index: Int) -> (location: TextLocation, isBefore: Bool)? {
    guard format != nil else { return nil }
    var known = index
    // Text of the heap does not know where it came from; what is before it does.
    while entries[known].head & Entry.isInHeap != 0 {
      guard known > 0 else { return nil }
      known -= 1
    }
    return (location(atOffset: entries[known].offset), known < index)
  }

  /// A place in the file.
  mutating func location(atOffset offset: Int) -> TextLocation {
    if format == .binary { return TextLocation(byte: offset) }
    let text = UnsafeBufferPointer(start: source, count: sourceCount)
    lastPlace.move(to: offset, in: text)
    return TextLocation(
      offset: offset, line: lastPlace.line, column: lastPlace.column, in: text)
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
