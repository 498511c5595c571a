public import Foundation

/// The columns of a grid.
public struct GridItem: Sendable {
  let minimum: CGFloat

  private init(minimum: CGFloat) {
    self.minimum = minimum
  }

  /// As many columns of equal width as there is room for.
  public static func adaptive(minimum: CGFloat) -> GridItem { GridItem(minimum: minimum) }
}
