/// A key that no type has named: one of a file, or a place in an array.
struct PathKey: CodingKey, Hashable {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = "\(intValue)"
    self.intValue = intValue
  }

  /// An element of an array.
  init(index: Int) {
    stringValue = "Index \(index)"
    intValue = index
  }

  /// A key that is a number too if it is written as one, as it is for the standard library's
  /// dictionaries.
  init(key: String) {
    stringValue = key
    intValue = Int(key)
  }

  /// What a container's `superEncoder` and `superDecoder` stand for.
  static let superKey = Self(stringValue: "super")
}
