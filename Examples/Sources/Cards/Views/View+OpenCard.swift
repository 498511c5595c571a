import Stage

extension View {
  /// Says that a button opens a card.
  func opens(_ card: UUID) -> some View {
    modified(Decoration(Element(attributes: ["data-opens": "\(card)"], layout: .merge)))
  }

  /// Says that a button brings a card back.
  func restores(_ card: UUID) -> some View {
    modified(Decoration(Element(attributes: ["data-restores": "\(card)"], layout: .merge)))
  }

  /// Says that the window works on a card: of what is dropped beside that, the page says where it belongs.
  func worksOn(_ card: UUID) -> some View {
    let attributes: Attributes = ["data-card": "\(card)", "data-drop": "beside"]
    return modified(Decoration(Element(attributes: attributes, layout: .merge)))
  }
}
