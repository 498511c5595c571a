/// The edges of a view.
public enum Edge {
  /// Some of the four edges.
  public struct Set: OptionSet, Sendable {
    /// One bit an edge.
    public let rawValue: Int

    /// Makes a set of its bits.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// The upper edge.
    public static let top = Set(rawValue: 1)
    /// The edge where text begins.
    public static let leading = Set(rawValue: 2)
    /// The lower edge.
    public static let bottom = Set(rawValue: 4)
    /// The edge where text ends.
    public static let trailing = Set(rawValue: 8)
    /// Both side edges.
    public static let horizontal: Set = [.leading, .trailing]
    /// The upper and the lower edge.
    public static let vertical: Set = [.top, .bottom]
    /// All four edges.
    public static let all: Set = [.horizontal, .vertical]
  }
}
