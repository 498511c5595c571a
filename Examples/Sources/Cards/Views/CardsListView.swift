import Stage

/// Every card, as it looks now.
struct CardsListView: View {
  @EnvironmentObject private var store: CardStore
  let open: @MainActor (UUID) -> Void

  var body: some View {
    VStack(spacing: 0) {
      Toolbar(.top, label: "Cards") {
        Text("Cards")
          .font(.title)
          .accessibilityAddTraits(.isHeader)
        Button {
          open(store.addCard())
        } label: {
          Label("Add", systemImage: "plus")
        }
        .accessibilityLabel("Add a card")
      }
      if store.ids.isEmpty {
        EmptyListView { open(store.addCard()) }
      } else {
        LazyVGrid(columns: .adaptive(minimum: 168), spacing: 28) {
          ForEach(store.ids, id: \.self) { id in
            CardTile(id: id) { open(id) }
          }
        }
        .padding(24)
        .frame(maxWidth: 1080)
      }
      Toolbar(.bottom, label: "Messages") {
        if store.removedID != nil {
          UndoView(message: "The card was removed.") { withAnimation { store.undoRemoval() } }
        }
      }
    }
    .fillsWindow()
  }
}
