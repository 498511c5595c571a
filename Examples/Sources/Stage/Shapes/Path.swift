public import Foundation

/// The outline of a shape.
public struct Path: Equatable, Sendable {
  private enum Piece: Equatable {
    case move(CGPoint)
    case line(CGPoint)
    case quadCurve(CGPoint, control: CGPoint)
    case curve(CGPoint, control1: CGPoint, control2: CGPoint)
    case close
  }

  private var pieces: [Piece] = []

  /// Makes an empty path.
  public init() {}

  /// Makes a path by drawing it.
  public init(_ draw: (inout Path) -> Void) {
    draw(&self)
  }

  /// Makes the outline of a rectangle.
  public init(_ rect: CGRect) {
    addRect(rect)
  }

  /// Makes the outline of the ellipse inside a rectangle.
  public init(ellipseIn rect: CGRect) {
    addEllipse(in: rect)
  }

  /// Makes the outline of a rectangle with round corners.
  public init(roundedRect rect: CGRect, cornerRadius: CGFloat) {
    addRoundedRect(
      in: rect, radii: CGSize(width: cornerRadius, height: cornerRadius))
  }

  /// Whether there is nothing in the path.
  public var isEmpty: Bool { pieces.isEmpty }

  /// Begins a new line at a point.
  public mutating func move(to point: CGPoint) {
    pieces.append(.move(point))
  }

  /// Draws a straight line to a point.
  public mutating func addLine(to point: CGPoint) {
    pieces.append(.line(point))
  }

  /// Draws straight lines through points.
  public mutating func addLines(_ points: [CGPoint]) {
    guard let first = points.first else { return }
    move(to: first)
    points.dropFirst().forEach { addLine(to: $0) }
  }

  /// Draws a curve with one control point.
  public mutating func addQuadCurve(to point: CGPoint, control: CGPoint) {
    pieces.append(.quadCurve(point, control: control))
  }

  /// Draws a curve with two control points.
  public mutating func addCurve(to point: CGPoint, control1: CGPoint, control2: CGPoint) {
    pieces.append(.curve(point, control1: control1, control2: control2))
  }

  /// Draws a straight line back to where the line began.
  public mutating func closeSubpath() {
    pieces.append(.close)
  }

  /// Draws a rectangle.
  public mutating func addRect(_ rect: CGRect) {
    addLines([
      CGPoint(x: rect.minX, y: rect.minY), CGPoint(x: rect.maxX, y: rect.minY),
      CGPoint(x: rect.maxX, y: rect.maxY), CGPoint(x: rect.minX, y: rect.maxY),
    ])
    closeSubpath()
  }

  /// Draws the ellipse inside a rectangle.
  public mutating func addEllipse(in rect: CGRect) {
    addRoundedRect(in: rect, radii: CGSize(width: rect.width / 2, height: rect.height / 2))
  }

  private mutating func addRoundedRect(in rect: CGRect, radii: CGSize) {
    let radiusX = min(radii.width, rect.width / 2)
    let radiusY = min(radii.height, rect.height / 2)
    // So far from the corner are the controls of the curve closest to a quarter of an ellipse.
    let toCornerX = radiusX * 0.447_715
    let toCornerY = radiusY * 0.447_715
    func point(_ x: CGFloat, _ y: CGFloat) -> CGPoint { CGPoint(x: x, y: y) }
    move(to: point(rect.minX + radiusX, rect.minY))
    addLine(to: point(rect.maxX - radiusX, rect.minY))
    addCurve(
      to: point(rect.maxX, rect.minY + radiusY),
      control1: point(rect.maxX - toCornerX, rect.minY),
      control2: point(rect.maxX, rect.minY + toCornerY))
    addLine(to: point(rect.maxX, rect.maxY - radiusY))
    addCurve(
      to: point(rect.maxX - radiusX, rect.maxY),
      control1: point(rect.maxX, rect.maxY - toCornerY),
      control2: point(rect.maxX - toCornerX, rect.maxY))
    addLine(to: point(rect.minX + radiusX, rect.maxY))
    addCurve(
      to: point(rect.minX, rect.maxY - radiusY),
      control1: point(rect.minX + toCornerX, rect.maxY),
      control2: point(rect.minX, rect.maxY - toCornerY))
    addLine(to: point(rect.minX, rect.minY + radiusY))
    addCurve(
      to: point(rect.minX + radiusX, rect.minY),
      control1: point(rect.minX, rect.minY + toCornerY),
      control2: point(rect.minX + toCornerX, rect.minY))
    closeSubpath()
  }

  /// The path as the page draws it.
  var svg: String {
    func text(_ points: CGPoint...) -> String {
      points.map { "\($0.x) \($0.y)" }.joined(separator: " ")
    }
    return pieces.map { piece in
      switch piece {
      case .move(let point): "M" + text(point)
      case .line(let point): "L" + text(point)
      case .quadCurve(let point, let control): "Q" + text(control, point)
      case .curve(let point, let control1, let control2): "C" + text(control1, control2, point)
      case .close: "Z"
      }
    }.joined()
  }
}
