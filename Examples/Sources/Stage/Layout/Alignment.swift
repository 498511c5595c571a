/// A guide for each of the two directions.
public struct Alignment: Hashable, Sendable {
  /// The guide from side to side.
  public var horizontal: HorizontalAlignment
  /// The guide up and down.
  public var vertical: VerticalAlignment

  /// Makes an alignment of its two guides.
  public init(horizontal: HorizontalAlignment, vertical: VerticalAlignment) {
    self.horizontal = horizontal
    self.vertical = vertical
  }

  /// The middle of both directions.
  public static let center = Alignment(horizontal: .center, vertical: .center)
}
