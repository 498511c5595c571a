import Stage

/// What can be done with a card.
struct CardTools: View {
  @State private var isAddingText = false
  @State private var isColoring = false
  let card: Card
  let editor: CardEditor

  var body: some View {
    HStack {
      ImagePicker {
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
    }
    .sheet(isPresented: $isAddingText) {
      TextSheet(title: "Add text", element: newText) { element in
        editor.add(element)
        isAddingText = false
      }
    }
    .sheet(isPresented: $isColoring) {
      BackgroundSheet(card: card, editor: editor) { isColoring = false }
    }
  }

  private var newText: TextElement {
    var element = TextElement()
    // Below the middle, where the first image is.
    element.transform.offset = card.freeOffset
    element.transform.offset.height += 480
    return element
  }
}
