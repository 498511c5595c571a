import Stage

/// Every card, as it looks now.
struct CardsListView: View {
  @EnvironmentObject private var store: CardStore
  @SceneStorage("search") private var search = ""
  @SceneStorage("order") private var order = CardOrder.oldest
  @Binding var shown: ShownCard?
  let open: @MainActor (UUID) -> Void

  var body: some View {
    VStack(spacing: 0) {
      Toolbar(.top, label: "Cards") {
        Text(store.configuration.listTitle)
          .font(.title)
          .accessibilityHeading(.h1)
        AddCardButtons {
          show($0)
          open($0)
        }
        if !store.summaries.isEmpty {
          HStack {
            TextField("Search", text: $search)
              .accessibilityAddTraits(.isSearchField)
              .frame(maxWidth: 220)
            Picker("Order", selection: $order) {
              ForEach(CardOrder.allCases, id: \.self) { Text($0.name).tag($0) }
            }
            .frame(maxWidth: 160)
          }
        }
      }
      let ids = store.ids(with: search, in: order)
      if !store.isLoaded {
        Spacer()
      } else if store.summaries.isEmpty {
        Spacer()
        EmptyListView { open(store.addCard()) }
        Spacer()
      } else if ids.isEmpty {
        Spacer()
        Text("No card has these words.")
          .foregroundColor(.secondary)
          .accessibilityStatus()
        Spacer()
      } else {
        LazyVGrid(columns: .adaptive(minimum: 140), spacing: 28) {
          ForEach(ids, id: \.self) { id in
            CardTile(id: id) { open(id) }
              .accessibilityListItem()
          }
        }
        .accessibilityList("Cards")
        .focuses(shown, among: ids)
        .padding(24)
      }
      if !store.removed.isEmpty { RemovedCardsView(restored: show) }
      Messages {
        if let problem = store.problem {
          ProblemView(problem: problem) { store.problem = nil }
        }
        if let last = store.lastRemoved {
          UndoView(message: "“\(last.title)” was removed.") {
            withAnimation { store.restore(last) }
            show(last.id)
          }
          .task(id: last) {
            try? await Task.sleep(for: .seconds(20))
            if !Task.isCancelled { store.endUndo() }
          }
        }
      }
    }
    .fillsWindow()
    .onDropOfCards {
      if let id = store.addArchive($0.bytes, named: $0.name, as: $0.id) { show(id) }
    }
  }

  /// Shows a card that is new in the list, also where it does not have the words that are searched for.
  private func show(_ id: UUID) {
    shown = ShownCard(card: id)
    if !store.ids(with: search, in: order).contains(id) { search = "" }
  }
}
