/// What a view says of one element of the page.
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

  /// Adds what a modifier without an element of its own says; what is further inside wins.
  mutating func merge(_ outer: Element) {
    attributes.merge(outer.attributes) { inner, _ in inner }
    style.merge(outer.style) { inner, _ in inner }
    guides.merge(outer.guides)
    action = action ?? outer.action
    handlers.merge(outer.handlers)
  }
}
