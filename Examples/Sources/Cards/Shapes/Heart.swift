import Stage

/// A heart that fills its room.
struct Heart: Shape {
  nonisolated init() {}

  nonisolated func path(in rect: CGRect) -> Path {
    Path { path in
      path.move(to: rect.point(0.5, 0.22))
      path.addCurve(
        to: rect.point(0, 0.32), control1: rect.point(0.38, -0.08), control2: rect.point(0, -0.02))
      path.addCurve(
        to: rect.point(0.5, 1), control1: rect.point(0, 0.62), control2: rect.point(0.34, 0.8))
      path.addCurve(
        to: rect.point(1, 0.32), control1: rect.point(0.66, 0.8), control2: rect.point(1, 0.62))
      path.addCurve(
        to: rect.point(0.5, 0.22), control1: rect.point(1, -0.02), control2: rect.point(0.62, -0.08)
      )
      path.closeSubpath()
    }
  }
}
