import Stage

/// The card itself, whose elements can be moved.
struct CardDetailView: View {
  let card: Card
  let editor: CardEditor

  var body: some View {
    Board(size: Settings.cardSize, color: card.backgroundColor) {
      editor.selection = nil
    } content: {
      ForEach(card.elements, id: \.id) { element in
        CardElementView(element: element, label: card.name(of: element))
          .movable(
            element.transform.placement, label: card.name(of: element),
            isSelected: element.id == editor.selection
          ) {
            editor.selection = element.id
          } onEdit: {
            editor.open(element)
          } onDelete: {
            editor.remove(element.id)
          } onChange: { placement, isFirst in
            editor.edit(saving: .later, isContinued: !isFirst) {
              $0.place(element.id, at: placement)
            }
          }
      }
    }
    .onDrop { editor.add($0) }
    .padding(EdgeInsets(top: 12, leading: 20, bottom: 36, trailing: 20))
    .frame(maxWidth: .infinity)
  }
}
