import Stage

/// Edits an element: a text, or the frame of an image.
struct ElementSheet: View {
  let element: any CardElement
  let editor: CardEditor

  var body: some View {
    if let text = element as? TextElement {
      TextSheet(title: "Edit text", element: text) { changed in
        editor.update(
          text,
          [
            ElementChange(\.text, from: text, to: changed),
            ElementChange(\.textColor, from: text, to: changed),
            ElementChange(\.textFont, from: text, to: changed),
            ElementChange(\.fontSize, from: text, to: changed),
            ElementChange(\.transform.size, from: text, to: changed),
          ].compactMap { $0 })
      }
    } else if let image = element as? ImageElement {
      FrameSheet(element: image) { frame in
        editor.update(image, [ElementChange(\.frame, frame)])
      }
    }
  }
}
