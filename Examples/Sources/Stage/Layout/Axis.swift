/// A direction in which a view grows.
public enum Axis: Sendable {
  /// From left to right.
  case horizontal
  /// From top to bottom.
  case vertical
}
