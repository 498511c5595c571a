import Stage

/// Straight sides of equal length.
struct Polygon: Shape {
  let sides: Int

  nonisolated init(sides: Int) {
    self.sides = sides
  }

  nonisolated func path(in rect: CGRect) -> Path {
    Path { path in
      path.addLines(
        (0..<sides).map { side in
          let angle = 2 * Double.pi * Double(side) / Double(sides)
          return rect.point(0.5 + cos(angle) / 2, 0.5 + sin(angle) / 2)
        })
      path.closeSubpath()
    }
  }
}
