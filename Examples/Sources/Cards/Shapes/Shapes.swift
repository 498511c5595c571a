import Stage

/// The frames of images. A file keeps a frame's place in this list, so a new one belongs at its end.
enum Shapes {
  static let shapes: [AnyShape] = [
    AnyShape(Circle()), AnyShape(Rectangle()), AnyShape(RoundedRectangle(cornerRadius: 25)),
    AnyShape(Heart()), AnyShape(Lens()), AnyShape(Chevron()), AnyShape(Cone()), AnyShape(Cloud()),
    AnyShape(Diamond()), AnyShape(Polygon(sides: 6)), AnyShape(Polygon(sides: 8)),
  ]

  static let names = [
    "Circle", "Rectangle", "Rounded rectangle", "Heart", "Lens", "Chevron", "Cone", "Cloud",
    "Diamond", "Hexagon", "Octagon",
  ]
}

extension CGRect {
  /// The point so far along the width and the height, each from 0 to 1.
  func point(_ x: Double, _ y: Double) -> CGPoint {
    CGPoint(x: minX + x * width, y: minY + y * height)
  }
}
