import Stage

/// What can be done with the chosen element.
struct ElementTools: View {
  @State private var isEditing = false
  let card: Card
  let element: any CardElement
  let editor: CardEditor

  var body: some View {
    HStack {
      Button {
        isEditing = true
      } label: {
        if element is ImageElement {
          Label("Frame", systemImage: "square.on.circle")
        } else {
          Label("Edit", systemImage: "pencil")
        }
      }
      .buttonStyle(.bordered)
      Button {
        move(by: 1)
      } label: {
        Image(systemName: "square.2.layers.3d.top")
      }
      .buttonStyle(.bordered)
      .disabled(card.elements.last?.id == element.id)
      .accessibilityLabel("Bring forward")
      .help("Bring forward")
      Button {
        move(by: -1)
      } label: {
        Image(systemName: "square.2.layers.3d.bottom")
      }
      .buttonStyle(.bordered)
      .disabled(card.elements.first?.id == element.id)
      .accessibilityLabel("Send backward")
      .help("Send backward")
      Button {
        editor.remove(element.id)
      } label: {
        Label("Remove", systemImage: "trash")
      }
      .buttonStyle(.bordered)
    }
    .sheet(isPresented: $isEditing) {
      if let text = element as? TextElement {
        TextSheet(title: "Edit text", element: text) { changed in
          editor.edit { card in
            card.update(text.id, as: TextElement.self) {
              $0.text = changed.text
              $0.textColor = changed.textColor
              $0.textFont = changed.textFont
            }
          }
          isEditing = false
        }
      } else if let image = element as? ImageElement {
        FrameSheet(element: image) { frame in
          editor.edit { card in
            card.update(image.id, as: ImageElement.self) { $0.frame = frame }
          }
          isEditing = false
        }
      }
    }
  }

  private func move(by step: Int) {
    editor.edit { $0.move(element.id, by: step) }
  }
}
