import Stage

/// Shows only what of its view is inside a shape, which is stretched over the view.
struct ClipModifier<Outline: Shape>: PrimitiveModifier {
  let shape: Outline

  func resolve(_ content: some View, in scope: Scope) -> [Output] {
    let id = scope.child(.box).id
    let square = CGRect(x: 0, y: 0, width: 100, height: 100)
    let path = Element(
      id: id + "p", tag: "path",
      attributes: ["d": shape.path(in: square).svg, "transform": "scale(.01)"])
    let clip = Element(
      id: id + "c", tag: "clipPath", attributes: ["clipPathUnits": "objectBoundingBox"])
    let drawing = Element(id: id + "s", tag: "svg", attributes: ["class": "hidden"])
    let box = Element(
      id: id, attributes: ["class": "fill"], style: ["clip-path": "url(#\(clip.id))"])
    return [
      .element(
        box,
        [.element(drawing, [.element(clip, [.element(path, [])])])]
          + scope.child(.content).resolve(content))
    ]
  }
}

extension View {
  /// Shows only what of the view is inside a shape, which is stretched over the view.
  func clipShape(_ shape: some Shape) -> some View {
    modified(ClipModifier(shape: shape))
  }
}
