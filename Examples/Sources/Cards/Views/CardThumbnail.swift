import Stage

/// A card as a picture that was drawn once, or its elements as long as there is none.
struct CardThumbnail: View {
  @EnvironmentObject private var store: CardStore
  let card: Card

  var body: some View {
    let version = Thumbnails.version(of: card)
    if let image = store.thumbnails.image(of: card.id, version: version) {
      Board(size: Settings.cardSize, color: card.backgroundColor) {
        Image(image, label: "")
          .placed(Placement(size: Settings.cardSize))
      }
    } else {
      CardFace(card: card)
        .drawn(version: version) {
          store.thumbnails.keep($0.bytes, of: card.id, version: version)
        }
    }
  }
}
