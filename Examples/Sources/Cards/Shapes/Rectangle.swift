import Stage

/// A rectangle.
struct Rectangle: Shape {
  /// The outline inside a rectangle.
  nonisolated func path(in rect: CGRect) -> Path {
    Path { path in
      path.addLines([rect.point(0, 0), rect.point(1, 0), rect.point(1, 1), rect.point(0, 1)])
      path.closeSubpath()
    }
  }
}
