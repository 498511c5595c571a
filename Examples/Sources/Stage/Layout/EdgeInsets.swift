public import Foundation

/// The room to leave along each edge.
public struct EdgeInsets: Equatable, Sendable {
  /// The room above.
  public var top: CGFloat
  /// The room before.
  public var leading: CGFloat
  /// The room below.
  public var bottom: CGFloat
  /// The room behind.
  public var trailing: CGFloat

  /// Makes insets of the four edges' room.
  public init(
    top: CGFloat = 0, leading: CGFloat = 0, bottom: CGFloat = 0, trailing: CGFloat = 0
  ) {
    self.top = top
    self.leading = leading
    self.bottom = bottom
    self.trailing = trailing
  }
}
