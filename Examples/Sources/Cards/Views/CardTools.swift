import Stage

/// What can be done with a card.
struct CardTools: View {
  @State private var isAddingText = false
  @State private var isColoring = false
  let card: Card
  let editor: CardEditor

  var body: some View {
    HStack {
      FilePicker {
        editor.add($0)
      } label: {
        Label("Image", systemImage: "photo")
      }
      .buttonStyle(.bordered)
      Button {
        isAddingText = true
      } label: {
        Label("Text", systemImage: "textformat")
      }
      .buttonStyle(.bordered)
      Button {
        isColoring = true
      } label: {
        Label("Background", systemImage: "paintpalette")
      }
      .buttonStyle(.bordered)
      if card.isOutOfReach {
        Button("Bring back") { editor.edit { $0.bringBack() } }
          .buttonStyle(.bordered)
          .help("Bring back what lies beside the card")
      }
    }
    .sheet(isPresented: $isAddingText) {
      TextSheet(title: "Add text", element: newText) {
        var element = $0
        element.transform.offset = card.freeOffset(for: element.transform.size)
        editor.add(element)
        isAddingText = false
      }
    }
    .sheet(isPresented: $isColoring) {
      BackgroundSheet(card: card, editor: editor) { isColoring = false }
    }
  }

  /// As wide as the card nearly, so that short words stay in a line.
  private var newText: TextElement {
    TextElement(
      transform: Transform(size: CGSize(width: 1150, height: 260)),
      fontSize: TextElement.defaultFontSize)
  }
}
