import Foundation

/// One element of the page.
struct Element {
  /// Empty for an element that only adds to the one inside it.
  var id = ""
  var tag = "div"
  var attributes: [String: String] = [:]
  var style: [String: String] = [:]
  var text: String?
  var layout = LayoutRule.none
  var guides = AlignmentGuides()
  var action: (@MainActor () -> Void)?
  var handlers = Handlers()

  /// Filled in when the tree is laid out.
  var size: CGSize?
  var children: [Element] = []

  /// Adds what a modifier without an element of its own says; what is further inside wins.
  mutating func merge(_ outer: Element) {
    attributes.merge(outer.attributes) { inner, _ in inner }
    style.merge(outer.style) { inner, _ in inner }
    guides.merge(outer.guides)
    action = action ?? outer.action
    handlers.merge(outer.handlers)
  }

  /// The first element, in reading order, of this one and those inside it that fits.
  func first(where fits: (Element) -> Bool) -> Element? {
    if fits(self) { return self }
    for child in children {
      if let found = child.first(where: fits) { return found }
    }
    return nil
  }
}

extension Element: Encodable {
  private enum CodingKeys: CodingKey {
    case id, tag, attributes, style, text, children
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(tag, forKey: .tag)
    try container.encode(attributes, forKey: .attributes)
    try container.encode(style, forKey: .style)
    try container.encodeIfPresent(text, forKey: .text)
    try container.encode(children, forKey: .children)
  }
}
