public import Foundation

/// The columns of a grid.
public struct GridItem: Sendable {
  let minimum: CGFloat

  /// As many columns of equal width as there is room for.
  public static func adaptive(minimum: CGFloat) -> GridItem { GridItem(minimum: minimum) }
}
