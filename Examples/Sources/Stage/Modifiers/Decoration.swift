/// A modifier that puts an element around each of its views, or adds to theirs.
package struct Decoration: PrimitiveModifier {
  /// In an object, as views are copied often.
  private final class Content {
    let element: Element

    init(_ element: Element) {
      self.element = element
    }
  }

  private let content: Content

  package init(_ element: Element) {
    content = Content(element)
  }

  package func resolve(_ view: some View, in scope: Scope) -> [Output] {
    let element = content.element
    var outputs: [Output] = []
    if !element.guides.isEmpty { scope.owner.renderer.hasGuides = true }
    scope.child(.content).forEachChild(of: view) { child, childScope in
      if case .merge = element.layout {
        outputs += childScope.resolve(child).map { $0.merging(element) }
      } else {
        var element = element
        element.id = childScope.child(.box).id
        outputs.append(.element(element, childScope.resolve(child)))
      }
    }
    return outputs
  }
}

extension View {
  /// Puts an element around the view.
  func wrapped(
    class name: String, style: Attributes = [:], layout: LayoutRule = .none
  ) -> some View {
    modified(Decoration(Element(attributes: ["class": name], style: style, layout: layout)))
  }

  /// Adds to the view's element.
  func merged(
    attributes: Attributes = [:], style: Attributes = [:],
    tap: (@MainActor () -> Void)? = nil
  ) -> some View {
    var element = Element(attributes: attributes, style: style, layout: .merge)
    if let tap { element.on(.tap) { _ in tap() } }
    return modified(Decoration(element))
  }
}
