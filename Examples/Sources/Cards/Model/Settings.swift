import Stage

/// The measures of cards.
enum Settings {
  /// The size of every card, in the units of its elements.
  static let cardSize = CGSize(width: 1300, height: 2000)
  /// The size of an element that says nothing of it.
  static let defaultElementSize = CGSize(width: 800, height: 800)
}
