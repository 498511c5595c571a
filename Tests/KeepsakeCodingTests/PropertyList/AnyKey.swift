/// A key of any text or number.
struct AnyKey: CodingKey, Hashable {
  let stringValue: String
  let intValue: Int?

  init(_ text: String) {
    stringValue = text
    intValue = nil
  }
  init(stringValue: String) { self.init(stringValue) }
  init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }
}

extension AnyKey: ExpressibleByStringLiteral {
  init(stringLiteral value: String) { self.init(value) }
}
