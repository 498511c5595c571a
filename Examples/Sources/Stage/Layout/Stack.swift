/// Views that a layout places.
@MainActor
protocol Stack: PrimitiveView {
  associatedtype Content: View

  var layout: StackLayout { get }
  var content: Content { get }
}

extension Stack {
  /// The element of a stack, as the page lays it out.
  package func resolve(in scope: Scope) -> [Output] {
    let (axis, alignment) = (layout.axis, layout.alignment)
    let across = axis == .vertical ? alignment.horizontal.css : alignment.vertical.css
    let element = Element(
      id: scope.id, attributes: ["class": axis.rawValue],
      style: [
        "align-items": across,
        axis == .depth ? "justify-items" : "gap": axis == .depth
          ? alignment.horizontal.css : px(layout.spacing),
      ], layout: .stack(layout))
    return [.element(element, scope.child(.content).resolve(content))]
  }
}
