import Stage

/// All cards, or the one that this window has open.
struct CardsView: View {
  @EnvironmentObject private var store: CardStore
  @SceneStorage("card") private var openCard = ""
  @SceneStorage("editing") private var editing = KeptAsJSON(EditingState())
  @State private var shown: ShownCard?

  private var openID: UUID? {
    UUID(uuidString: openCard).flatMap { store.card($0)?.id }
  }

  var body: some View {
    Group {
      if let id = openID {
        // What was half done in one card is not offered in another.
        ForEach([id], id: \.self) { id in
          SingleCardView(id: id) { open($0) }
        }
      } else {
        CardsListView(shown: $shown) {
          open($0)
          store.endUndo()
        }
      }
    }
  }

  private func open(_ id: UUID?) {
    if id == nil { shown = openID.map(ShownCard.init) }
    openCard = id?.uuidString ?? ""
    editing = KeptAsJSON(EditingState())
  }
}
