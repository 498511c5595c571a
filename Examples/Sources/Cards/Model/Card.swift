import Stage

/// A card: a color, and images and texts on it, the last of which lies on top.
struct Card: Identifiable, Sendable {
  var id = UUID()
  /// When the card was made; nil for one of a version that did not keep it.
  var created: Date?
  /// What the person calls the card; nil or empty for what its words say.
  var name: String?
  var backgroundColor = Palette.yellow
  var elements: [any CardElement] = []
  /// What only a newer version understands.
  var others: [String: JSON.Value] = [:]

  /// The element of an identity.
  subscript(id: UUID?) -> (any CardElement)? {
    elements.first { $0.id == id }
  }

  /// Changes an element, if it is still on the card and of the kind.
  mutating func update<Element: CardElement>(
    _ id: UUID, as type: Element.Type, _ change: (inout Element) -> Void
  ) {
    guard let index = elements.firstIndex(where: { $0.id == id }),
      var element = elements[index] as? Element
    else { return }
    change(&element)
    elements[index] = element
  }

  /// Moves, resizes or turns an element within reach, if it is still on the card.
  mutating func place(_ id: UUID, at placement: Placement) {
    guard let index = elements.firstIndex(where: { $0.id == id }) else { return }
    elements[index].transform.placement = placement
    elements[index].transform = elements[index].transform.reachable
  }

  /// Whether an element cannot be taken hold of, as one of a file may lie beside the card.
  var isOutOfReach: Bool { elements.contains { $0.transform != $0.transform.reachable } }

  /// Brings each element within reach.
  mutating func bringBack() {
    for index in elements.indices {
      elements[index].transform = elements[index].transform.reachable
    }
  }

  /// Brings an element one step up or down.
  mutating func move(_ id: UUID, by step: Int) {
    guard let index = elements.firstIndex(where: { $0.id == id }),
      elements.indices.contains(index + step)
    else { return }
    elements.swapAt(index, index + step)
  }
}
