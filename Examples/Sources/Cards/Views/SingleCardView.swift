import Stage

/// One card, to work on.
struct SingleCardView: View {
  @EnvironmentObject private var store: CardStore
  @Environment(\.scenePhase) private var scenePhase
  @State private var selection: UUID?
  @State private var removed: RemovedElement?
  let id: UUID
  let done: @MainActor () -> Void

  var body: some View {
    VStack(spacing: 0) {
      if let card = store.card(id) {
        Toolbar(.top, label: "Card") {
          Text(card.title)
            .font(.headline)
            .accessibilityAddTraits(.isHeader)
          Button("Done") { done() }
        }
        if let problem = store.problem {
          ProblemView(problem: problem) { store.problem = nil }
        }
        if let conflict = store.conflict(of: id) {
          ConflictView(id: id, conflict: conflict)
        }
        CardDetailView(card: card, selection: $selection, remove: remove)
        Toolbar(.bottom, label: "Tools") {
          if removed != nil {
            UndoView(message: "The element was removed.", undo: undo)
          }
          if let element = card[selection] {
            ElementTools(card: card, element: element) { remove(element.id) }
          } else {
            CardTools(card: card) { selection = $0 }
          }
        }
      }
    }
    .fillsWindow()
    .onDisappear {
      store.save(id)
    }
    .onChange(of: scenePhase) { newScenePhase in
      if newScenePhase == .inactive {
        store.save(id)
      }
    }
  }

  private func remove(_ element: UUID) {
    guard let elements = store.card(id)?.elements,
      let index = elements.firstIndex(where: { $0.id == element })
    else { return }
    removed = RemovedElement(element: elements[index], index: index)
    selection = nil
    store.edit(id, saving: .now) { $0.elements.removeAll { $0.id == element } }
  }

  private func undo() {
    guard let removed else { return }
    store.edit(id, saving: .now) { card in
      guard card[removed.element.id] == nil else { return }
      card.elements.insert(removed.element, at: min(removed.index, card.elements.count))
    }
    selection = removed.element.id
    self.removed = nil
  }
}
