/// The rows of property lists.
extension Tape {
  /// Appends a value without more to it: null or a Boolean.
  @inline(__always) mutating func append(_ kind: Kind, at offset: Int) {
    reserve()
    append(Self.word(kind, offset: offset))
  }

  /// Appends a number or a date.
  @inline(__always) mutating func append(_ kind: Kind, _ bits: UInt64, at offset: Int) {
    reserve()
    append(Self.word(kind, offset: offset))
    append(bits)
  }

  /// Whether a value is a number of a property list.
  func isNumber(_ index: Int) -> Bool {
    switch kind(index) {
    case .integer, .unsigned, .real: true
    default: false
    }
  }

  /// Begins an array or a dictionary, which ``close(_:elementCount:)`` ends.
  @inline(__always) mutating func open(_ kind: Kind, at offset: Int) {
    reserve()
    append(Self.word(kind, offset: offset))
    append(UInt64(truncatingIfNeeded: count &+ (kind == .object ? 3 : 1)) &<< 32)
    if kind == .object {
      append(0)
      append(0)
    }
  }

  /// Ends an array or a dictionary, all of its rows having been appended.
  ///
  /// Of two equal keys only the last counts.
  @inline(__always) mutating func close(_ container: Int, elementCount: Int) {
    words[container &+ 1] =
      UInt64(truncatingIfNeeded: count) &<< 32 | UInt64(truncatingIfNeeded: elementCount)
    if self.is(.object, container) {
      resetCursor(container)
      supersedeEqualKeys(of: container)
    }
  }

  /// Makes the last row, which is a string, one of null if it says so: Foundation's coders write
  /// null as `$null`.
  @inline(__always) mutating func recognizeNull(_ index: Int) {
    let length = words[index] &>> 32 & Self.lengthLimit
    if length == 5 || length == Self.lengthLimit { recognizeNullText(index) }
  }

  private mutating func recognizeNullText(_ index: Int) {
    let token = string(index)
    guard token.count == 5,
      UnsafeBufferPointer(start: token.start, count: 5).elementsEqual("$null".utf8)
    else { return }
    let offset = offset(index)
    truncate(to: index)
    append(Self.word(.null, offset: offset))
  }
}
