import Stage

/// All cards, or the one that this window has open.
struct CardsView: View {
  @EnvironmentObject private var store: CardStore
  @SceneStorage("card") private var openCard = ""

  private var openID: UUID? {
    UUID(uuidString: openCard).flatMap { store.card($0)?.id }
  }

  var body: some View {
    Group {
      if let id = openID {
        // What was half done in one card is not offered in another.
        ForEach([id], id: \.self) { id in
          SingleCardView(id: id) {
            openCard = $0?.uuidString ?? ""
          }
        }
      } else {
        CardsListView {
          openCard = $0.uuidString
          store.endUndo()
        }
      }
    }
  }
}
