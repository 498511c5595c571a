#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PropertyList.Tape {
  typealias PathKey = PropertyList.PathKey

  /// The keys and indices that lead to an entry.
  ///
  /// They are found by going down to it: nothing is kept while all goes well.
  func path(to target: Int) -> [PathKey] {
    var path: [PathKey] = []
    var container = 0
    while container != target {
      let isDictionary = kind(container) == .dictionary
      var index = container + 1
      var position = 0
      while index < end(of: container) {
        let value = isDictionary ? index + 1 : index
        let next = end(of: value)
        if target < next { break }
        index = next
        position += 1
      }
      guard index < end(of: container) else { return path }
      path.append(isDictionary ? PathKey(text(of: entries[index])) : PathKey(index: position))
      // A key stands for its value.
      container = isDictionary ? index + 1 : index
      if target == index { return path }
    }
    return path
  }

  /// Where a value stands in the file, in words, if there is a file.
  func place(of index: Int) -> String? {
    guard format != nil else { return nil }
    let entry = entries[index]
    // Text of the heap does not know where it came from; what is around it does.
    guard entry.head & Entry.isInHeap == 0 else {
      return index > 0 ? place(of: index - 1).map { "after \($0)" } : nil
    }
    return place(atOffset: entry.offset)
  }

  /// A place in the file, in words.
  func place(atOffset offset: Int) -> String {
    if format == .binary { return "byte \(offset)" }
    let bytes = UnsafeBufferPointer(start: source, count: sourceCount)
    let fault = PropertyList.Fault(offset: offset, path: [], message: "")
    let error = PropertyList.ParseError.locating([fault], in: bytes, format: format ?? .xml)[0]
    return "line \(error.line), column \(error.column)"
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

extension PropertyList {
  /// A key, or the place of an element, on the way to a value.
  struct PathKey: CodingKey, Hashable {
    let stringValue: String
    let intValue: Int?

    /// A key of a dictionary, which is a number too if it is written as one, as it is for the
    /// standard library's dictionaries.
    init(_ key: String) {
      stringValue = key
      intValue = Int(key)
    }

    init(index: Int) {
      stringValue = "Index \(index)"
      intValue = index
    }

    init(stringValue: String) { self.init(stringValue) }

    init(intValue: Int) {
      stringValue = String(intValue)
      self.intValue = intValue
    }
  }
}
