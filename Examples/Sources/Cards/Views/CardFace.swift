import Stage

/// A card as a picture of itself, at any size.
struct CardFace: View {
  let card: Card

  var body: some View {
    Board(size: Settings.cardSize, color: card.backgroundColor) {
      ForEach(card.elements, id: \.id) { element in
        CardElementView(element: element)
          .placed(element.transform.placement)
      }
    }
  }
}
