import Stage

/// How the cards of the list follow each other.
enum CardOrder: String, CaseIterable, Codable {
  case oldest, newest, title

  var name: String {
    switch self {
    case .oldest: "Oldest first"
    case .newest: "Newest first"
    case .title: "By name"
    }
  }

  func sorted(_ cards: [CardSummary]) -> [CardSummary] {
    switch self {
    case .oldest: cards
    case .newest: cards.reversed()
    case .title:
      cards.sorted { $0.title.localizedStandardCompare($1.title) == .orderedAscending }
    }
  }
}
