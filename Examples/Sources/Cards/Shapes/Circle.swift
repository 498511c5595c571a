import Stage

/// The largest circle in the middle of its room.
struct Circle: Shape {
  /// The outline inside a rectangle.
  nonisolated func path(in rect: CGRect) -> Path {
    let side = min(rect.width, rect.height)
    return Path(
      ellipseIn: CGRect(
        x: rect.midX - side / 2, y: rect.midY - side / 2, width: side, height: side))
  }
}
