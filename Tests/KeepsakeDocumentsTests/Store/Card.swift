import KeepsakeDocuments

/// A document as an app might have it.
struct Card: Codable, Identifiable, Equatable, Sendable {
  struct Element: Codable, Identifiable, Equatable, Sendable {
    var id: Int
    var text: String
    var image: Asset?
  }

  var id: String
  var title = ""
  var elements: [Element] = []
  var colour: [Double]?
}

extension DocumentStore where Document == Card {
  /// All that loads, and the errors.
  func everything() async -> (cards: [Card], errors: [DocumentError]) {
    var cards: [Card] = []
    var errors: [DocumentError] = []
    for await item in loadAll() {
      switch item.result {
      case .success(let card): cards.append(card)
      case .failure(let error): errors.append(error)
      }
    }
    return (cards, errors)
  }
}
