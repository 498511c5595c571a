import Stage

/// What a window does on its card, with which it goes on after a restart.
struct EditingState: Codable, Sendable {
  /// The card; nil where the window shows the list.
  var card: UUID?
  /// The chosen element.
  var selection: UUID?
}
