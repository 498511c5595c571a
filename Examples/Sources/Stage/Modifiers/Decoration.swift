/// A modifier that puts an element around each of its views, or adds to theirs.
struct Decoration: PrimitiveModifier {
  var element: Element

  func resolve(_ content: some View, in scope: Scope) -> [Output] {
    var outputs: [Output] = []
    if !element.guides.isEmpty { scope.owner.renderer.hasGuides = true }
    scope.child(.content).forEachChild(of: content) { child, childScope in
      var element = element
      if element.layout.hasElement { element.id = childScope.child(.box).id }
      outputs.append(.element(element, childScope.resolve(child)))
    }
    return outputs
  }
}

extension View {
  /// Puts an element around the view.
  func wrapped(
    class name: String, style: [String: String] = [:], layout: LayoutRule = .none
  ) -> some View {
    modified(
      Decoration(
        element: Element(attributes: ["class": name], style: style, layout: layout)))
  }

  /// Adds to the view's element.
  func merged(
    attributes: [String: String] = [:], style: [String: String] = [:],
    guides: AlignmentGuides = AlignmentGuides(), action: (@MainActor () -> Void)? = nil
  ) -> some View {
    modified(
      Decoration(
        element: Element(
          attributes: attributes, style: style, layout: .merge, guides: guides, action: action)))
  }
}
