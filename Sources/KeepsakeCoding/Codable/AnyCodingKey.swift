/// A key that no type declares: one of a file, or an index of an array.
package struct AnyCodingKey: CodingKey, Hashable {
  package let stringValue: String
  package let intValue: Int?

  package init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  package init(intValue: Int) {
    stringValue = "\(intValue)"
    self.intValue = intValue
  }

  /// An element of an array.
  package init(index: Int) {
    stringValue = "Index \(index)"
    intValue = index
  }

  /// A key that is a number too if it is written as one, as it is for the standard library's
  /// dictionaries.
  package init(key: String) {
    stringValue = key
    intValue = Int(key)
  }

  /// What a container's `superEncoder` and `superDecoder` stand for.
  package static let superKey = Self(stringValue: "super")
}
