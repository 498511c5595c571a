import Stage

/// What can be done with the chosen element.
struct ElementTools: View {
  let card: Card
  let element: any CardElement
  let editor: CardEditor

  var body: some View {
    HStack {
      Button {
        editor.open(element)
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
  }

  private func move(by step: Int) {
    editor.edit { $0.move(element.id, by: step) }
  }
}
