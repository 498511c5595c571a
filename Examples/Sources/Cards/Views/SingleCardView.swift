import Stage

/// One card, to work on.
struct SingleCardView: View {
  @EnvironmentObject private var store: CardStore
  @Environment(\.scenePhase) private var scenePhase
  @State private var remark: Remark?
  @SceneStorage("history") private var history = CardHistory()
  @SceneStorage("editing") private var editing = KeptAsJSON(EditingState())
  let id: UUID
  /// Opens another card, or the list of all.
  let open: @MainActor (UUID?) -> Void

  var body: some View {
    VStack(spacing: 0) {
      if let card = store.card(id) {
        Toolbar(.top, label: "Card") {
          Button {
            editor.open(.card(name: card.name))
          } label: {
            HStack {
              Text(card.title)
                .font(.headline)
                .accessibilityHeading(.h1)
              Image(systemName: "pencil")
            }
          }
          .buttonStyle(.plain)
          .help("Name, duplicate and save the card")
          HStack {
            UndoButtons(editor: editor)
            Button("Done") { open(nil) }
              .navigatesBack()
          }
        }
        CardDetailView(card: card, editor: editor)
          .navigationTitle(card.title)
        Toolbar(.bottom, label: "Tools") {
          if let element = card[editor.selection] {
            ElementTools(card: card, element: element, editor: editor)
          }
          CardTools(card: card, editor: editor)
        }
        Messages {
          if let problem = store.problem {
            ProblemView(problem: problem) { store.problem = nil }
          }
          if let conflict = store.conflict(of: id) {
            ConflictView(id: id, conflict: conflict)
          }
          if let remark {
            Text(remark.text)
              .padding(12)
              .task(id: remark) {
                try? await Task.sleep(for: .seconds(8))
                if !Task.isCancelled { self.remark = nil }
              }
          }
        }
      }
    }
    .fillsWindow()
    .worksOn(id)
    .sheet(isPresented: isShowingSheet) {
      if let card = store.card(id), let sheet = editor.sheet {
        OpenSheetView(sheet: sheet, card: card, editor: editor, open: open)
      }
    }
    .onChange(of: SelectedElement(on: store.card(id), id: editor.selection)) { old, new in
      if old.id == new.id, let element = old.element, new.element == nil {
        editor.noteRemoval(of: element, named: old.name)
      }
    }
    .onDisappear {
      store.save(id)
    }
    .onChange(of: scenePhase) { newScenePhase in
      if newScenePhase == .inactive {
        store.save(id)
      }
    }
  }

  private var isShowingSheet: Binding<Bool> {
    let (id, state) = (id, $editing.value)
    return Binding {
      state.wrappedValue.card == id && state.wrappedValue.sheet != nil
    } set: {
      if !$0 { state.wrappedValue.sheet = nil }
    }
  }

  private var editor: CardEditor {
    CardEditor(
      id: id, store: store, history: $history, state: $editing.value, remark: $remark)
  }
}
