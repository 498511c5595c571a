import Stage

/// Makes a card, or adds one of a file.
struct AddCardButtons: View {
  @EnvironmentObject private var store: CardStore
  let open: @MainActor (UUID) -> Void

  var body: some View {
    HStack {
      FilePicker(CardArchive.pathExtension) {
        if let id = store.addArchive($0.bytes, named: $0.name, as: $0.id) { open(id) }
      } label: {
        Label("Open file", systemImage: "folder")
      }
      .buttonStyle(.bordered)
      Button {
        open(store.addCard())
      } label: {
        Label("Add", systemImage: "plus")
      }
      .accessibilityLabel("Add a card")
    }
  }
}
