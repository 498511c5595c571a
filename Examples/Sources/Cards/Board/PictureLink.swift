import Stage

/// A button that saves a picture of the board which the window works on, as PNG, where the browser keeps
/// what is downloaded.
struct PictureLink<Label: View>: View {
  let name: String
  @ViewBuilder let label: Label
}

extension PictureLink: PrimitiveView {
  func resolve(in scope: Scope) -> [Output] {
    let link = Element(
      id: scope.id, tag: "a", attributes: ["href": "#", "data-picture": name, "data-button": ""])
    return [.element(link, scope.child(.label).resolve(label))]
  }
}
