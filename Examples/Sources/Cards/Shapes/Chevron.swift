import Stage

/// A broad arrow to the right.
struct Chevron: Shape {
  nonisolated init() {}

  nonisolated func path(in rect: CGRect) -> Path {
    Path { path in
      path.addLines([
        rect.point(0, 0), rect.point(0.7, 0), rect.point(1, 0.5), rect.point(0.7, 1),
        rect.point(0, 1), rect.point(0.3, 0.5),
      ])
      path.closeSubpath()
    }
  }
}
