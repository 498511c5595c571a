import Testing

@testable import Stage

@Suite("Differences")
struct DifferenceTests {
  /// A page's elements, to which patches are applied as a page does it.
  struct Page {
    var children: [String: [String]] = [:]
    var texts: [String: String] = [:]

    init(_ elements: [PageElement]) {
      for (index, element) in elements.enumerated() { insert(element, in: "root", at: index) }
    }

    mutating func insert(_ element: PageElement, in parent: String, at index: Int) {
      children[parent, default: []].insert(element.id, at: index)
      texts[element.id] = element.text
      for (index, child) in element.children.enumerated() {
        insert(child, in: element.id, at: index)
      }
    }

    mutating func remove(_ id: String) {
      for parent in children.keys { children[parent]?.removeAll { $0 == id } }
    }

    mutating func apply(_ patches: [Patch]) {
      for patch in patches {
        switch patch {
        case .set(let id, _, _, let text): if let text { texts[id] = text }
        case .insert(let parent, let index, let element): insert(element, in: parent, at: index)
        case .move(let id, let parent, let index):
          remove(id)
          children[parent]?.insert(id, at: index)
        case .remove(let id): remove(id)
        }
      }
    }

    func shows(_ elements: [PageElement], in parent: String = "root") -> Bool {
      children[parent, default: []] == elements.map(\.id)
        && elements.allSatisfy { texts[$0.id] == $0.text && shows($0.children, in: $0.id) }
    }
  }

  private func element(_ id: String, _ text: String? = nil, _ children: [PageElement] = [])
    -> PageElement
  {
    PageElement(Element(id: id, text: text), children: children)
  }

  @Test("Equal trees need no patch")
  func equal() {
    let tree = [element("a", "A"), element("b", nil, [element("c", "C")])]
    #expect(Difference(from: tree, to: tree, in: "root").patches.isEmpty)
  }

  @Test("A new element at the front is inserted, and nothing moves")
  func front() {
    let old = [element("b"), element("c")]
    let patches = Difference(from: old, to: [element("a")] + old, in: "root").patches
    #expect(patches.count == 1)
  }

  @Test("An element with another tag is a new one")
  func tags() {
    let new = element("a").replacing { $0.tag = "span" }
    let patches = Difference(from: [element("a")], to: [new], in: "root").patches
    #expect(patches.count == 2)
  }

  @Test("The patches make any tree of any other", arguments: UInt64(0)..<200)
  func random(seed: UInt64) {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    func next(_ limit: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(limit))
    }
    func row(_ prefix: String, depth: Int) -> [PageElement] {
      var names = (0..<8).filter { _ in next(3) > 0 }
      for index in names.indices where next(2) == 0 { names.swapAt(index, next(names.count)) }
      return names.map { name in
        let id = "\(prefix)\(name)"
        return element(
          id, depth == 0 ? "text \(next(3))" : nil,
          depth == 0 ? [] : row(id + ".", depth: depth - 1))
      }
    }
    let (old, new) = (row("", depth: 2), row("", depth: 2))
    var page = Page(old)
    page.apply(Difference(from: old, to: new, in: "root").patches)
    #expect(page.shows(new))
  }
}
