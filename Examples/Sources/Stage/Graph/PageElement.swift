import Foundation

/// An element as it is on the page, with what is inside it: the same object is the same picture.
@dynamicMemberLookup
package final class PageElement {
  /// Changed only while the view is evaluated, before the page shows it.
  package internal(set) var element: Element
  /// The size, where it is known before the page has drawn it.
  let size: CGSize?
  package let children: [PageElement]

  init(_ element: Element, size: CGSize? = nil, children: [PageElement] = []) {
    self.element = element
    self.size = size
    self.children = children
  }

  package subscript<Value>(dynamicMember member: KeyPath<Element, Value>) -> Value {
    element[keyPath: member]
  }

  /// The same with another description.
  func replacing(_ change: (inout Element) -> Void) -> PageElement {
    var element = element
    change(&element)
    return PageElement(element, size: size, children: children)
  }

  /// The first element, in reading order, of this one and those inside it that fits.
  func first(where fits: (PageElement) -> Bool) -> PageElement? {
    if fits(self) { return self }
    for child in children {
      if let found = child.first(where: fits) { return found }
    }
    return nil
  }
}

extension PageElement: Encodable {
  private enum CodingKeys: CodingKey {
    case id, tag, attributes, style, text, children
  }

  /// What is empty is left out: the first message of a window is as long as its elements.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(element.id, forKey: .id)
    if element.tag != "div" { try container.encode(element.tag, forKey: .tag) }
    if !element.attributes.isEmpty {
      try container.encode(element.attributes, forKey: .attributes)
    }
    if !element.style.isEmpty { try container.encode(element.style, forKey: .style) }
    try container.encodeIfPresent(element.text, forKey: .text)
    if !children.isEmpty { try container.encode(children, forKey: .children) }
  }
}
