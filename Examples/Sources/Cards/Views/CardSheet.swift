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
  /// What tells the file that this sheet offers from another window's, where another name may be written.
  @State private var file = UUID()

  /// The card with the name that is written in the sheet.
  private var renamed: Card {
    var renamed = card
    if typed != oldName ?? "" { renamed.name = typed.isEmpty ? nil : typed }
    return renamed
  }

  private var typed: String { name.trimmingCharacters(in: .whitespacesAndNewlines) }

  var body: some View {
    VStack(alignment: .leading, spacing: 18) {
      Text("Card")
        .font(.title2)
        .accessibilityAddTraits(.isHeader)
      TextField("Name", text: $name)
        .onSubmit { finish() }
      LimitView(name: "name", text: typed)
      VStack(alignment: .leading, spacing: 10) {
        Button {
          finish()
          if let copy = store.duplicate(card.id) { open(copy) }
        } label: {
          Label("Duplicate", systemImage: "plus.square.on.square")
        }
        .buttonStyle(.bordered)
        .disabled(typed.isTooLong)
        DownloadLink(
          store.archive(of: card.id, name: renamed.name, file: file),
          named: "\(renamed.fileName).\(CardArchive.pathExtension)"
        ) {
          Label("Save as file", systemImage: "square.and.arrow.down")
        }
        .buttonStyle(.bordered)
        PictureLink(name: "\(renamed.fileName).png") {
          Label("Save as picture", systemImage: "photo")
        }
        .buttonStyle(.bordered)
      }
      Button("Done") { finish() }
        .disabled(typed.isTooLong)
    }
    .dismissalConfirmationDialog(shouldPresent: name != oldName ?? "")
  }

  private func finish() {
    guard !typed.isTooLong else { return }
    editor.rename(typed, from: oldName)
  }
}
