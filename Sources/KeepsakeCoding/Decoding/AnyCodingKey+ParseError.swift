extension AnyCodingKey {
  init(_ step: JSON.ParseError.Step) {
    switch step {
    case .key(let name): self.init(stringValue: name)
    case .index(let index): self.init(index: index)
    }
  }
}
