extension JSON.Value {
  /// Whether two values are the same, code point by code point; numbers are compared as numbers and
  /// objects without regard to order.
  ///
  /// `==` takes strings for equal whose accents are composed differently: that would lose a change.
  ///
  /// - Parameter inText: Whether numbers must be written alike and keys stand in the same order too.
  /// - Complexity: O(*n*), less where they differ.
  package func isSame(as other: JSON.Value, inText: Bool = false) -> Bool {
    switch (self, other) {
    case (.null, .null): return true
    case (.bool(let a), .bool(let b)): return a == b
    case (.number(let a), .number(let b)): return inText ? a.text == b.text : a == b
    case (.string(let a), .string(let b)): return a.utf8.elementsEqual(b.utf8)
    case (.array(let a), .array(let b)):
      guard a.count == b.count else { return false }
      for index in a.indices where !a[index].isSame(as: b[index], inText: inText) { return false }
      return true
    case (.object(let a), .object(let b)):
      guard a.count == b.count else { return false }
      for index in a.indices {
        let (key, value) = a[index]
        let match = b[index]
        if match.key == key {
          if !value.isSame(as: match.value, inText: inText) { return false }
        } else {
          guard !inText, let match = b[key], value.isSame(as: match) else { return false }
        }
      }
      return true
    default: return false
    }
  }

  /// Whether two values are of one kind: both objects, both strings and so on.
  func isSameKind(as other: JSON.Value) -> Bool {
    switch (self, other) {
    case (.null, .null), (.bool, .bool), (.number, .number), (.string, .string), (.array, .array),
      (.object, .object):
      true
    default: false
    }
  }

  /// Whether the value holds others.
  var isContainer: Bool {
    switch self {
    case .array, .object: true
    default: false
    }
  }
}
