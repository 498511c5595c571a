extension StackLayout {
  /// The element of a stack, as the page lays it out.
  @MainActor
  func resolve(_ content: some View, in scope: Scope) -> [Output] {
    var element = Element(id: scope.id)
    element.layout = .stack(self)
    switch axis {
    case .horizontal:
      element.attributes["class"] = "h"
      element.style = ["align-items": alignment.vertical.css, "gap": px(spacing)]
    case .vertical:
      element.attributes["class"] = "v"
      element.style = ["align-items": alignment.horizontal.css, "gap": px(spacing)]
    case .depth:
      element.attributes["class"] = "z"
      element.style = [
        "align-items": alignment.vertical.css, "justify-items": alignment.horizontal.css,
      ]
    }
    return [.element(element, scope.child(.content).resolve(content))]
  }
}
