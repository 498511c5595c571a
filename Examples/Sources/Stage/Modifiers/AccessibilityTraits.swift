/// What kind of thing a view is, for a screen reader.
public struct AccessibilityTraits: OptionSet, Sendable {
  /// One bit a trait.
  public let rawValue: Int

  /// Makes a set of its bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// The heading of what follows.
  public static let isHeader = AccessibilityTraits(rawValue: 1)
  /// A button that is on or off.
  public static let isToggle = AccessibilityTraits(rawValue: 2)
  /// The chosen one.
  public static let isSelected = AccessibilityTraits(rawValue: 4)
  /// A field for words to search for.
  public static let isSearchField = AccessibilityTraits(rawValue: 8)
}
