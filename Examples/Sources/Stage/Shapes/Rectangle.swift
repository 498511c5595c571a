public import Foundation

/// A rectangle.
public struct Rectangle: Shape, BoxShape {
  /// Makes a rectangle.
  public nonisolated init() {}

  var cornerRadius: String { "0" }

  /// The outline inside a rectangle.
  public func path(in rect: CGRect) -> Path { Path(rect) }
}
