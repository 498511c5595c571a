import Stage

/// What the list knows of a card.
struct CardSummary: Equatable, Identifiable {
  let id: UUID
  let created: Date
  let title: String
  /// The title and all words, in which the list searches.
  let words: String
}

extension CardSummary {
  init(_ card: Card) {
    let texts = card.elements.compactMap { ($0 as? TextElement)?.text }
    self.init(
      id: card.id, created: card.created ?? .distantPast, title: card.title,
      words: ([card.title] + texts).joined(separator: "\n"))
  }
}
