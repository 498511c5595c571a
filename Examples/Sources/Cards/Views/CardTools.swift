import Stage

/// What can be done with a card.
struct CardTools: View {
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
        editor.open(.newText(newText))
      } label: {
        Label("Text", systemImage: "textformat")
      }
      .buttonStyle(.bordered)
      Button {
        editor.open(.background)
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
  }

  /// As wide as the card nearly, so that short words stay in a line, and as high as a line.
  private var newText: TextElement {
    TextElement(
      transform: Transform(size: CGSize(width: 1150, height: TextElement.defaultFontSize * 1.2)),
      fontSize: TextElement.defaultFontSize)
  }
}
