public import Foundation

/// A rectangle with round corners.
public struct RoundedRectangle: Shape, BoxShape {
  private let radius: CGFloat

  /// Makes a rectangle with corners of a radius.
  public nonisolated init(cornerRadius: CGFloat) {
    radius = cornerRadius
  }

  var cornerRadius: String { px(radius) }

  /// The outline inside a rectangle.
  public func path(in rect: CGRect) -> Path { Path(roundedRect: rect, cornerRadius: radius) }
}
