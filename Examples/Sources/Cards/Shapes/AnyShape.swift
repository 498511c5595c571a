import Stage

/// A shape of any kind, compared by what it draws.
struct AnyShape: Shape, Equatable {
  private let draw: @Sendable (CGRect) -> Path

  nonisolated init(_ shape: some Shape) {
    draw = { shape.path(in: $0) }
  }

  nonisolated func path(in rect: CGRect) -> Path { draw(rect) }

  nonisolated static func == (lhs: AnyShape, rhs: AnyShape) -> Bool {
    let rect = CGRect(
      origin: .zero,
      size: CGSize(width: 100, height: 100))
    let lhsPath = lhs.path(in: rect)
    let rhsPath = rhs.path(in: rect)
    return lhsPath == rhsPath
  }
}
