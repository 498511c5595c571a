/// One change of the page.
enum Patch: Encodable {
  /// Attributes and styles to set, or to take away where the value is nil, and a new text.
  case set(id: String, attributes: [String: String?], style: [String: String?], text: String?)
  case insert(parent: String, index: Int, element: PageElement)
  case move(id: String, parent: String, index: Int)
  case remove(id: String)
}
