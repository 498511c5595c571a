import Stage

/// What can be done with a card when none of its elements is chosen.
struct CardTools: View {
  @EnvironmentObject private var store: CardStore
  @State private var isAddingText = false
  @State private var isColoring = false
  let card: Card
  let select: @MainActor (UUID) -> Void

  var body: some View {
    HStack {
      ImagePicker {
        store.addImage($0, to: card.id)
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
        store.edit(card.id, saving: .now) { $0.elements.append(element) }
        isAddingText = false
      }
    }
    .sheet(isPresented: $isColoring) {
      BackgroundSheet(card: card) { isColoring = false }
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
