/// The changes that make one tree of elements of another.
///
/// What did not change is the same object in both, and is not looked at: the work follows the
/// changes.
struct Difference {
  private(set) var patches: [Patch] = []
  /// The elements that are gone and those that are new, with all inside them.
  private(set) var others: [PageElement] = []

  init(from old: [PageElement], to new: [PageElement], in parent: String) {
    compareChildren(old, new, in: parent)
  }

  /// Whether an attribute was added, changed or removed somewhere.
  func changes(attribute: String) -> Bool {
    patches.contains { patch in
      if case .set(_, let attributes, _, _) = patch { attributes[attribute] != nil } else { false }
    } || others.contains { $0.first { $0.attributes[attribute] != nil } != nil }
  }

  private mutating func compareChildren(
    _ old: [PageElement], _ new: [PageElement], in parent: String
  ) {
    /// Whether an element stays; one that changes its tag is a new one.
    func stays(_ old: PageElement, _ new: PageElement) -> Bool {
      old === new || old.element.id == new.element.id && old.element.tag == new.element.tag
    }
    var (start, end) = (0, 0)
    while start < min(old.count, new.count), stays(old[start], new[start]) {
      compare(old[start], new[start])
      start += 1
    }
    while start + end < min(old.count, new.count),
      stays(old[old.count - 1 - end], new[new.count - 1 - end])
    {
      compare(old[old.count - 1 - end], new[new.count - 1 - end])
      end += 1
    }
    if start + end == max(old.count, new.count) { return }
    let changed = start..<new.count - end
    let before = Dictionary(
      uniqueKeysWithValues: old[start..<old.count - end].map { ($0.element.id, $0) })
    let after = Dictionary(uniqueKeysWithValues: new[changed].map { ($0.element.id, $0) })

    var current: [String] = []
    for element in old[start..<old.count - end] {
      if let next = after[element.element.id], stays(element, next) {
        current.append(element.element.id)
      } else {
        patches.append(.remove(id: element.element.id))
        others.append(element)
      }
    }
    for index in changed {
      let element = new[index]
      let id = element.element.id
      if let previous = before[id], stays(previous, element) {
        if current[index - start] != id {
          patches.append(.move(id: id, parent: parent, index: index))
          current.removeAll { $0 == id }
          current.insert(id, at: index - start)
        }
        compare(previous, element)
      } else {
        patches.append(.insert(parent: parent, index: index, element: element))
        others.append(element)
        current.insert(id, at: index - start)
      }
    }
  }

  private mutating func compare(_ old: PageElement, _ new: PageElement) {
    if old === new { return }
    let attributes = new.element.attributes.changes(from: old.element.attributes)
    let style = new.element.style.changes(from: old.element.style)
    let text = old.element.text == new.element.text ? nil : new.element.text ?? ""
    if !attributes.isEmpty || !style.isEmpty || text != nil {
      patches.append(
        .set(id: new.element.id, attributes: attributes, style: style, text: text))
    }
    compareChildren(old.children, new.children, in: new.element.id)
  }
}
