import Stage

/// Edits an element: a text, or the frame of an image.
struct ElementSheet: View {
  let element: any CardElement
  let editor: CardEditor

  var body: some View {
    if let text = element as? TextElement {
      TextSheet(title: "Edit text", element: text) { changed in
        editor.update(text) {
          $0.text = changed.text
          $0.textColor = changed.textColor
          $0.textFont = changed.textFont
          $0.fontSize = changed.fontSize
          $0.transform.size = changed.transform.size
        }
      }
    } else if let image = element as? ImageElement {
      FrameSheet(element: image) { frame in
        editor.update(image) { $0.frame = frame }
      }
    }
  }
}
