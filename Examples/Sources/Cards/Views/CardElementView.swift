import Stage

/// What an element looks like.
struct CardElementView: View {
  let element: any CardElement
  /// What a screen reader calls the element, where it is not named otherwise.
  var label = ""

  var body: some View {
    if let image = element as? ImageElement {
      ImageElementView(element: image, label: label)
    } else if let text = element as? TextElement {
      FittedText(text.text, size: text.shownFontSize)
        .foregroundColor(text.textColor)
        .fontDesign(text.design)
    }
  }
}
