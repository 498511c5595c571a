public import Foundation

/// An outline for any rectangle; as a view it fills the room it is given with the text's color.
public protocol Shape: View, Sendable {
  /// The outline inside a rectangle.
  nonisolated func path(in rect: CGRect) -> Path
}

extension Shape {
  /// The shape in the color of the text around it.
  public var body: some View { ShapeView(shape: self, color: nil) }

  /// The shape in a color.
  public func fill(_ color: Color) -> some View {
    ShapeView(shape: self, color: color)
  }
}

/// A shape drawn in a square and stretched over the room there is.
struct ShapeView<Outline: Shape>: View {
  let shape: Outline
  let color: Color?
}

extension ShapeView: PrimitiveView {
  package func resolve(in scope: Scope) -> [Output] {
    let id = scope.id
    var element = Element(id: id, attributes: ["class": "fill"])
    if let radius = (shape as? any BoxShape)?.cornerRadius {
      element.style = ["background": color?.css ?? "currentColor", "border-radius": radius]
      return [.element(element, [])]
    }
    let square = CGRect(x: 0, y: 0, width: 100, height: 100)
    let path = Element(id: id + "p", tag: "path", attributes: ["d": shape.path(in: square).svg])
    element.tag = "svg"
    element.attributes["viewBox"] = "0 0 100 100"
    element.attributes["preserveAspectRatio"] = "none"
    element.style["fill"] = color?.css ?? "currentColor"
    return [.element(element, [.element(path, [])])]
  }
}

/// A shape that the page draws as a box, whose corners so keep their form at every size.
protocol BoxShape {
  var cornerRadius: String { get }
}
