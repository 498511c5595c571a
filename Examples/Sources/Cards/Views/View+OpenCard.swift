import Stage

extension View {
  /// Says that a button opens a card.
  func opens(_ card: UUID) -> some View {
    modified(Decoration(Element(attributes: ["data-opens": "\(card)"], layout: .merge)))
  }

  /// Says which of the cards in a list has the keyboard, once it is shown.
  func focuses(_ shown: ShownCard?, among cards: [UUID]) -> some View {
    var attributes: Attributes = [:]
    if let shown, let index = cards.firstIndex(of: shown.card) {
      attributes["data-shown"] = "\(shown.card) \(shown.id)"
      attributes["data-place"] = "\(index)"
    }
    return modified(Decoration(Element(attributes: attributes, layout: .merge)))
  }

  /// Says that the window works on a card: of what is dropped beside that, the page says where it belongs.
  func worksOn(_ card: UUID) -> some View {
    let attributes: Attributes = ["data-card": "\(card)", "data-drop": "beside"]
    return modified(Decoration(Element(attributes: attributes, layout: .merge)))
  }
}
