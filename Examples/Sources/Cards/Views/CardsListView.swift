import Stage

/// Every card, as it looks now.
struct CardsListView: View {
  @EnvironmentObject private var store: CardStore
  let open: @MainActor (UUID) -> Void

  var body: some View {
    VStack(spacing: 0) {
      Toolbar(.top, label: "Cards") {
        Text(store.configuration.listTitle)
          .font(.title)
          .accessibilityAddTraits(.isHeader)
        AddCardButtons(open: open)
      }
      if !store.isLoaded {
        Spacer()
      } else if store.ids.isEmpty {
        Spacer()
        EmptyListView { open(store.addCard()) }
        Spacer()
      } else {
        LazyVGrid(columns: .adaptive(minimum: 140), spacing: 28) {
          ForEach(store.ids, id: \.self) { id in
            CardTile(id: id) { open(id) }
          }
        }
        .padding(24)
      }
      Messages {
        if let problem = store.problem {
          ProblemView(problem: problem) { store.problem = nil }
        }
        if store.removed != nil {
          UndoView(message: "The card was removed.") { withAnimation { store.undoRemoval() } }
        }
      }
    }
    .fillsWindow()
  }
}
