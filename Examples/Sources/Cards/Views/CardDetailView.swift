import Stage

/// The card itself, whose elements can be moved.
struct CardDetailView: View {
  @EnvironmentObject private var store: CardStore
  let card: Card
  @Binding var selection: UUID?
  let remove: @MainActor (UUID) -> Void

  var body: some View {
    Board(size: Settings.cardSize, color: card.backgroundColor) {
      selection = nil
    } content: {
      ForEach(card.elements, id: \.id) { element in
        CardElementView(element: element)
          .movable(
            element.transform.placement, label: card.name(of: element),
            isSelected: element.id == selection
          ) {
            selection = element.id
          } onDelete: {
            remove(element.id)
          } onChange: { placement in
            store.edit(card.id) { $0.place(element.id, at: placement) }
          }
      }
    }
    .onDrop { store.addImage($0, to: card.id) }
    .padding(EdgeInsets(top: 12, leading: 20, bottom: 36, trailing: 20))
    .frame(maxWidth: .infinity)
  }
}
