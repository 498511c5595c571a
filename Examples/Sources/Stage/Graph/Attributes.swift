/// Attributes or styles of an element, each name once: so few that looking at each is faster than a hash.
package struct Attributes: Equatable {
  private var pairs: [(String, String)] = []

  package var isEmpty: Bool { pairs.isEmpty }

  package subscript(name: String) -> String? {
    get { pairs.first { $0.0 == name }?.1 }
    set {
      let index = pairs.firstIndex { $0.0 == name }
      switch (index, newValue) {
      case (let index?, let value?): pairs[index].1 = value
      case (let index?, nil): pairs.remove(at: index)
      case (nil, let value?): pairs.append((name, value))
      case (nil, nil): break
      }
    }
  }

  /// Adds those of others, unless their names are there.
  mutating func add(_ others: Attributes) {
    if pairs.isEmpty {
      self = others
    } else {
      for (name, value) in others.pairs where self[name] == nil { pairs.append((name, value)) }
    }
  }

  package func mapValues(_ value: (String) -> String) -> Attributes {
    var attributes = self
    for index in pairs.indices { attributes.pairs[index].1 = value(pairs[index].1) }
    return attributes
  }

  /// What makes these of others: values to set, and nil for what is not here.
  func changes(from old: Attributes) -> [String: String?] {
    if self == old { return [:] }
    var changes: [String: String?] = [:]
    for (name, _) in old.pairs where self[name] == nil { changes.updateValue(nil, forKey: name) }
    for (name, value) in pairs where old[name] != value { changes[name] = value }
    return changes
  }

  /// Whether the same is said in the same order, as a view does that is evaluated again.
  package static func == (one: Attributes, other: Attributes) -> Bool {
    one.pairs.elementsEqual(other.pairs, by: ==)
  }
}

extension Attributes: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, String)...) {
    pairs = elements
  }
}

extension Attributes: Encodable {
  package func encode(to encoder: any Encoder) throws {
    try Dictionary(pairs.map { ($0, $1) }) { $1 }.encode(to: encoder)
  }
}
