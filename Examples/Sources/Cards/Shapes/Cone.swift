import Stage

/// Half an ellipse above a point.
struct Cone: Shape {
  nonisolated init() {}

  nonisolated func path(in rect: CGRect) -> Path {
    Path { path in
      path.move(to: rect.point(0, 0.5))
      path.addCurve(
        to: rect.point(0.5, 0), control1: rect.point(0, 0.224), control2: rect.point(0.224, 0))
      path.addCurve(
        to: rect.point(1, 0.5), control1: rect.point(0.776, 0), control2: rect.point(1, 0.224))
      path.addLine(to: rect.point(0.5, 1))
      path.closeSubpath()
    }
  }
}
