/// A guide along which views are aligned up and down.
public enum VerticalAlignment: Int, Sendable {
  /// The upper edge.
  case top
  /// The middle.
  case center
  /// The lower edge.
  case bottom

  var css: String { ["start", "center", "end"][rawValue] }
}
