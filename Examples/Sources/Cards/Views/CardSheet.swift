import Stage

/// The name of a card, and what can be made of the whole card.
struct CardSheet: View {
  @EnvironmentObject private var store: CardStore
  let card: Card
  /// The name when the sheet came.
  let oldName: String?
  @Binding var name: String
  let editor: CardEditor
  /// Opens a copy of the card.
  let open: @MainActor (UUID) -> Void

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
    .dismissalConfirmationDialog(shouldPresent: name != oldName ?? "")
  }

  private func finish() {
    editor.rename(name.trimmingCharacters(in: .whitespacesAndNewlines), from: oldName)
  }
}
