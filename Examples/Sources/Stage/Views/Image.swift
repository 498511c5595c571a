/// A symbol as large as the text around it, or an image that fills its room.
public struct Image: View {
  private enum Source {
    case symbol(String)
    case file(ImageFile, label: String)
  }

  private let source: Source

  /// Shows a symbol; a square stands for a name that Stage does not know.
  public init(systemName: String) {
    source = .symbol(systemName)
  }

  /// Shows an image that the app keeps; a frame with its name stands for one that cannot be read.
  ///
  /// - Parameter label: What a screen reader says; nothing for an image that only decorates.
  public init(_ file: ImageFile, label: some StringProtocol = "") {
    source = .file(file, label: String(label))
  }
}

extension Image: PrimitiveView {
  package func resolve(in scope: Scope) -> [Output] {
    let id = scope.id
    switch source {
    case .symbol(let name):
      let symbol = Symbol(named: name)
      let path = Element(id: id + "p", tag: "path", attributes: ["d": symbol.path])
      let svg = Element(
        id: id + "s", tag: "svg",
        attributes: [
          "viewBox": "0 0 24 24", "aria-hidden": "true",
          "class": symbol.isFilled ? "symbol filled" : "symbol",
        ])
      let box = Element(id: id, tag: "span", attributes: ["class": "image"])
      return [.element(box, [.element(svg, [.element(path, [])])])]
    case .file(let file, let label):
      var image = Element(id: id, tag: "img")
      image.attributes = [
        "class": "photo", "src": scope.owner.renderer.images.path(of: file), "alt": label,
        "draggable": "false", "data-missing": "The picture \(file.name) is missing or damaged.",
      ]
      return [.element(image, [])]
    }
  }
}
