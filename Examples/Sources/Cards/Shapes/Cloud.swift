import Stage

/// A cloud of five bulges.
struct Cloud: Shape {
  func path(in rect: CGRect) -> Path {
    Path { path in
      path.move(to: rect.point(0.2, 0.9))
      path.addCurve(
        to: rect.point(0.16, 0.42), control1: rect.point(-0.06, 0.92),
        control2: rect.point(-0.06, 0.44))
      path.addCurve(
        to: rect.point(0.44, 0.18), control1: rect.point(0.14, 0.14),
        control2: rect.point(0.34, 0.04))
      path.addCurve(
        to: rect.point(0.78, 0.32), control1: rect.point(0.54, -0.06),
        control2: rect.point(0.8, 0.04))
      path.addCurve(
        to: rect.point(0.86, 0.82), control1: rect.point(1.06, 0.34),
        control2: rect.point(1.04, 0.78))
      path.addCurve(
        to: rect.point(0.54, 0.88), control1: rect.point(0.8, 1.02),
        control2: rect.point(0.62, 1.02))
      path.addCurve(
        to: rect.point(0.2, 0.9), control1: rect.point(0.46, 1.02),
        control2: rect.point(0.28, 1.02))
      path.closeSubpath()
    }
  }
}
