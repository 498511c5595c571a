import Stage

/// Says that something is gone, and brings it back.
struct UndoView: View {
  let message: String
  let undo: @MainActor () -> Void

  var body: some View {
    HStack(spacing: 14) {
      Text(message)
      Button {
        undo()
      } label: {
        Label("Undo", systemImage: "arrow.uturn.backward")
      }
      .buttonStyle(.bordered)
      .keyboardShortcut("z")
    }
    .padding(EdgeInsets(top: 8, leading: 16, bottom: 8, trailing: 8))
  }
}
