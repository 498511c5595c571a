import Stage

/// A cloud with a flat base.
struct Cloud: Shape {
  nonisolated init() {}

  nonisolated func path(in rect: CGRect) -> Path {
    Path { path in
      path.move(to: rect.point(0.22, 0.86))
      path.addCurve(
        to: rect.point(0.17, 0.42), control1: rect.point(-0.05, 0.86),
        control2: rect.point(-0.05, 0.46))
      path.addCurve(
        to: rect.point(0.62, 0.26), control1: rect.point(0.17, 0.08),
        control2: rect.point(0.52, 0.02))
      path.addCurve(
        to: rect.point(0.84, 0.46), control1: rect.point(0.74, 0.18),
        control2: rect.point(0.86, 0.3))
      path.addCurve(
        to: rect.point(0.8, 0.86), control1: rect.point(1.05, 0.48),
        control2: rect.point(1.05, 0.86))
      path.closeSubpath()
    }
  }
}
