/// How far a heading is below that of the window.
public enum AccessibilityHeadingLevel: Int, Sendable {
  /// What the window shows.
  case h1 = 1
  /// A sheet, or a part of the window.
  case h2
  /// A part of a part.
  case h3
}
