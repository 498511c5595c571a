import Stage

/// Undoes and redoes the steps of a window.
struct UndoButtons: View {
  let editor: CardEditor

  var body: some View {
    Button {
      editor.step(isRedo: false)
    } label: {
      Image(systemName: "arrow.uturn.backward")
    }
    .buttonStyle(.bordered)
    .disabled(!editor.canUndo)
    .keyboardShortcut("z")
    .accessibilityLabel("Undo")
    .help("Undo")
    Button {
      editor.step(isRedo: true)
    } label: {
      Image(systemName: "arrow.uturn.forward")
    }
    .buttonStyle(.bordered)
    .disabled(!editor.canRedo)
    .keyboardShortcut("Z", "y")
    .accessibilityLabel("Redo")
    .help("Redo")
  }
}
