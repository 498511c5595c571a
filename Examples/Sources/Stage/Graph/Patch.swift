/// One change of the page.
enum Patch {
  /// Attributes and styles to set, or to take away where the value is nil, and a new text.
  case set(id: String, attributes: [String: String?], style: [String: String?], text: String?)
  case insert(parent: String, index: Int, element: PageElement)
  case move(id: String, parent: String, index: Int)
  case remove(id: String)
}

extension Patch: Encodable {
  private enum CodingKeys: CodingKey {
    case kind, id, parent, index, element, attributes, style, text
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .set(let id, let attributes, let style, let text):
      try container.encode("set", forKey: .kind)
      try container.encode(id, forKey: .id)
      try container.encode(attributes, forKey: .attributes)
      try container.encode(style, forKey: .style)
      try container.encodeIfPresent(text, forKey: .text)
    case .insert(let parent, let index, let element):
      try container.encode("insert", forKey: .kind)
      try container.encode(parent, forKey: .parent)
      try container.encode(index, forKey: .index)
      try container.encode(element, forKey: .element)
    case .move(let id, let parent, let index):
      try container.encode("move", forKey: .kind)
      try container.encode(id, forKey: .id)
      try container.encode(parent, forKey: .parent)
      try container.encode(index, forKey: .index)
    case .remove(let id):
      try container.encode("remove", forKey: .kind)
      try container.encode(id, forKey: .id)
    }
  }
}
