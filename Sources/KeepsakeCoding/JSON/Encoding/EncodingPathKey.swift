/// A key or an index of an encoder's own in a coding path.
struct EncodingPathKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  static let `super` = EncodingPathKey(stringValue: "super")

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = intValue.description
    self.intValue = intValue
  }

  init(index: Int) {
    stringValue = "Index \(index)"
    intValue = index
  }
}
