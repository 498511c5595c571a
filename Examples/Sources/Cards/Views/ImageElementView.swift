import Stage

/// An image in its frame.
struct ImageElementView: View {
  @EnvironmentObject private var store: CardStore
  let element: ImageElement
  let label: String

  var body: some View {
    let image = Image(store.image(element.imageFilename), label: label)
    if let frame = element.frame {
      image.clipShape(frame)
    } else {
      image
    }
  }
}
