/// Another value of a property of an element.
struct ElementChange<Element> {
  let make: (inout Element) -> Void
  /// Whether the first element, which is to be changed, has been given yet another value since it was the second.
  let replaces: (Element, Element) -> Bool

  init<Value: Equatable>(_ property: WritableKeyPath<Element, Value>, _ value: Value) {
    make = { $0[keyPath: property] = value }
    replaces = { current, base in
      let now = current[keyPath: property]
      return now != base[keyPath: property] && now != value
    }
  }

  /// The change that makes one element's property that of another; nil where they are equal.
  init?<Value: Equatable>(
    _ property: WritableKeyPath<Element, Value>, from old: Element, to new: Element
  ) {
    if old[keyPath: property] == new[keyPath: property] { return nil }
    self.init(property, new[keyPath: property])
  }
}
