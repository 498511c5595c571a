import Stage

/// The color behind everything on a card.
struct BackgroundSheet: View {
  @State private var color: Color
  @State private var isChanged = false
  private let editor: CardEditor

  init(card: Card, editor: CardEditor) {
    self.editor = editor
    _color = State(initialValue: card.backgroundColor)
  }

  var body: some View {
    VStack(alignment: .leading, spacing: 18) {
      Text("Background")
        .font(.title2)
        .accessibilityAddTraits(.isHeader)
      ColorRow(selection: $color)
      Button("Done") { editor.sheet = nil }
    }
    .onChange(of: color) { color in
      // All that is tried out in the sheet is one step.
      editor.edit(isContinued: isChanged) { $0.backgroundColor = color }
      isChanged = true
    }
  }
}
