public import Foundation

/// The outline of a shape.
public struct Path: Equatable, Sendable {
  /// The outline as the page draws it.
  package private(set) var svg = ""

  /// Makes an empty path.
  public init() {}

  /// Makes a path by drawing it.
  public init(_ draw: (inout Path) -> Void) {
    draw(&self)
  }

  /// Makes the outline of the ellipse inside a rectangle.
  public init(ellipseIn rect: CGRect) {
    addRoundedRect(rect, CGSize(width: rect.width / 2, height: rect.height / 2))
  }

  /// Makes the outline of a rectangle with round corners.
  public init(roundedRect rect: CGRect, cornerRadius: CGFloat) {
    addRoundedRect(rect, CGSize(width: cornerRadius, height: cornerRadius))
  }

  private mutating func draw(_ letter: String, _ points: CGPoint...) {
    svg += letter + points.map { "\($0.x) \($0.y)" }.joined(separator: " ")
  }

  /// Begins a new line at a point.
  public mutating func move(to point: CGPoint) { draw("M", point) }

  /// Draws a straight line to a point.
  public mutating func addLine(to point: CGPoint) { draw("L", point) }

  /// Draws straight lines through points.
  public mutating func addLines(_ points: [CGPoint]) {
    for (index, point) in points.enumerated() { draw(index == 0 ? "M" : "L", point) }
  }

  /// Draws a curve with one control point.
  public mutating func addQuadCurve(to point: CGPoint, control: CGPoint) {
    draw("Q", control, point)
  }

  /// Draws a curve with two control points.
  public mutating func addCurve(to point: CGPoint, control1: CGPoint, control2: CGPoint) {
    draw("C", control1, control2, point)
  }

  /// Draws a straight line back to where the line began.
  public mutating func closeSubpath() { draw("Z") }

  private mutating func addRoundedRect(_ rect: CGRect, _ radii: CGSize) {
    let (x, y) = (min(radii.width, rect.width / 2), min(radii.height, rect.height / 2))
    func point(_ x: CGFloat, _ y: CGFloat) -> CGPoint { CGPoint(x: x, y: y) }
    draw("M", point(rect.minX + x, rect.minY))
    for (sideX, sideY) in [(1.0, 0.0), (1, 1), (0, 1), (0, 0)] {
      let corner = point(rect.minX + sideX * rect.width, rect.minY + sideY * rect.height)
      let along = point(corner.x + (sideX == 1 ? -x : x), corner.y)
      let across = point(corner.x, corner.y + (sideY == 1 ? -y : y))
      let (start, end) = sideX == sideY ? (across, along) : (along, across)
      draw("L", start)
      // So far from the corner are the controls of the curve closest to a quarter of an ellipse.
      func control(_ end: CGPoint) -> CGPoint {
        point(
          corner.x + (end.x - corner.x) * 0.447_715, corner.y + (end.y - corner.y) * 0.447_715)
      }
      draw("C", control(start), control(end), end)
    }
    draw("Z")
  }
}
