extension JSON {
  /// A key that no type has named: one of the text, or a place in an array.
  struct PathKey: CodingKey, Hashable {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
      self.stringValue = stringValue
      intValue = nil
    }

    init(intValue: Int) {
      self.init(index: intValue, name: "\(intValue)")
    }

    /// An element of an array.
    init(index: Int) {
      self.init(index: index, name: "Index \(index)")
    }

    private init(index: Int, name: String) {
      stringValue = name
      intValue = index
    }

    init(_ step: ParseError.Step) {
      switch step {
      case .key(let name): self.init(stringValue: name)
      case .index(let index): self.init(index: index)
      }
    }

    static let superKey = Self(stringValue: "super")
  }
}
