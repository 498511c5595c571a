/// The changes that make one tree of elements of another.
struct Difference {
  private(set) var patches: [Patch] = []

  init(from old: [Element], to new: [Element], in parent: String) {
    compareChildren(old, new, in: parent)
  }

  private mutating func compareChildren(_ old: [Element], _ new: [Element], in parent: String) {
    let before = Dictionary(uniqueKeysWithValues: old.map { ($0.id, $0) })
    let after = Dictionary(uniqueKeysWithValues: new.map { ($0.id, $0) })
    /// Whether an element stays; one that changes its tag is a new one.
    func stays(_ id: String) -> Bool {
      before[id] != nil && before[id]?.tag == after[id]?.tag
    }

    var current: [String] = []
    for element in old {
      if stays(element.id) {
        current.append(element.id)
      } else {
        patches.append(.remove(id: element.id))
      }
    }
    for (index, element) in new.enumerated() {
      if let previous = before[element.id], stays(element.id) {
        if current[index] != element.id {
          patches.append(.move(id: element.id, parent: parent, index: index))
          current.removeAll { $0 == element.id }
          current.insert(element.id, at: index)
        }
        compare(previous, element)
      } else {
        patches.append(.insert(parent: parent, index: index, element: element))
        current.insert(element.id, at: index)
      }
    }
  }

  private mutating func compare(_ old: Element, _ new: Element) {
    let attributes = changes(from: old.attributes, to: new.attributes)
    let style = changes(from: old.style, to: new.style)
    let text = old.text == new.text ? nil : new.text ?? ""
    if !attributes.isEmpty || !style.isEmpty || text != nil {
      patches.append(.set(id: new.id, attributes: attributes, style: style, text: text))
    }
    compareChildren(old.children, new.children, in: new.id)
  }

  private func changes(
    from old: [String: String], to new: [String: String]
  ) -> [String: String?] {
    var changes: [String: String?] = [:]
    for key in Set(old.keys).union(new.keys) where old[key] != new[key] {
      changes.updateValue(new[key], forKey: key)
    }
    return changes
  }
}
