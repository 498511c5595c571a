import Stage

@MainActor
final class CardStore: ObservableObject {
  enum Saving { case later, now }
  @Published private(set) var ids: [UUID] = []
  @Published private var cards: [UUID: Card] = [:]
  @Published private(set) var removedID: UUID?
  @Published private var images: [String: [UInt8]] = [:]
  private var removed: (Card, Int)?

  func card(_ id: UUID) -> Card? { cards[id] }

  @discardableResult
  func addCard() -> UUID {
    let card = Card(created: Date(), backgroundColor: Palette.random())
    cards[card.id] = card
    ids.append(card.id)
    return card.id
  }

  func edit(_ id: UUID, saving: Saving = .later, _ change: (inout Card) -> Void) {
    guard var card = cards[id] else { return }
    change(&card)
    cards[id] = card
  }

  func save(_ id: UUID) {}

  func remove(_ id: UUID) {
    guard let index = ids.firstIndex(of: id), let card = cards[id] else { return }
    removed = (card, index)
    ids.remove(at: index)
    cards[id] = nil
    removedID = id
  }

  func undoRemoval() {
    guard let (card, index) = removed else { return }
    cards[card.id] = card
    ids.insert(card.id, at: min(index, ids.count))
    removedID = nil
  }

  func addImage(_ upload: Upload, to id: UUID) {
    let name = UUID().uuidString + ".png"
    images[name] = upload.bytes
    edit(id) { card in
      var element = ImageElement(imageFilename: name)
      element.transform.size = upload.size.fitted(in: Settings.defaultElementSize)
      element.transform.offset = card.freeOffset
      card.elements.append(element)
    }
  }

  func image(_ name: String) -> ImageFile {
    let bytes = images[name]
    return ImageFile(name: name) { bytes ?? [] }
  }
}
