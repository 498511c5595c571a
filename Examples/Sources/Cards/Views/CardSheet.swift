import Stage

/// The name of a card, and what can be made of the whole card.
struct CardSheet: View {
  @EnvironmentObject private var store: CardStore
  @State private var name: String
  private let card: Card
  private let editor: CardEditor
  private let open: @MainActor (UUID) -> Void
  private let done: @MainActor () -> Void

  /// Shows a card's sheet, from which a copy of the card can be opened.
  init(
    card: Card, editor: CardEditor, open: @escaping @MainActor (UUID) -> Void,
    done: @escaping @MainActor () -> Void
  ) {
    self.card = card
    self.editor = editor
    self.open = open
    self.done = done
    _name = State(initialValue: card.name ?? "")
  }

  var body: some View {
    VStack(alignment: .leading, spacing: 18) {
      Text("Card")
        .font(.title2)
        .accessibilityAddTraits(.isHeader)
      TextField("Name", text: $name)
        .onSubmit { finish() }
      VStack(alignment: .leading, spacing: 10) {
        Button {
          finish()
          if let copy = store.duplicate(card.id) { open(copy) }
        } label: {
          Label("Duplicate", systemImage: "plus.square.on.square")
        }
        .buttonStyle(.bordered)
        DownloadLink(
          store.archive(of: card.id), named: "\(card.fileName).\(CardArchive.pathExtension)"
        ) {
          Label("Save as file", systemImage: "square.and.arrow.down")
        }
        .buttonStyle(.bordered)
        PictureLink(name: "\(card.fileName).png") {
          Label("Save as picture", systemImage: "photo")
        }
        .buttonStyle(.bordered)
      }
      Button("Done") { finish() }
    }
  }

  private func finish() {
    let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
    if name != card.name ?? "" { editor.edit { $0.name = name.isEmpty ? nil : name } }
    done()
  }
}
