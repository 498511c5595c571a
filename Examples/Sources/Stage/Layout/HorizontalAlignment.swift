/// A guide along which views are aligned from side to side.
public enum HorizontalAlignment: Int, Sendable {
  /// The edge where a line of text begins.
  case leading
  /// The middle.
  case center
  /// The edge where a line of text ends.
  case trailing

  var css: String { ["start", "center", "end"][rawValue] }
}
