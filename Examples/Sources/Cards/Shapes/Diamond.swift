import Stage

/// A square on its corner.
struct Diamond: Shape {
  nonisolated init() {}

  nonisolated func path(in rect: CGRect) -> Path {
    Path { path in
      path.addLines([
        rect.point(0.5, 0), rect.point(1, 0.5), rect.point(0.5, 1), rect.point(0, 0.5),
      ])
      path.closeSubpath()
    }
  }
}
