import Stage

/// Two arcs that meet at the sides.
struct Lens: Shape {
  nonisolated init() {}

  nonisolated func path(in rect: CGRect) -> Path {
    Path { path in
      path.move(to: rect.point(0, 0.5))
      path.addQuadCurve(to: rect.point(1, 0.5), control: rect.point(0.5, -0.2))
      path.addQuadCurve(to: rect.point(0, 0.5), control: rect.point(0.5, 1.2))
      path.closeSubpath()
    }
  }
}
