/// A button that saves something where the browser keeps what is downloaded.
public struct DownloadLink<Label: View>: View {
  private let name: String
  private let file: ImageFile
  private let label: Label

  /// Makes a button that saves a file of the app under a name.
  public init(_ file: ImageFile, named name: String, @ViewBuilder label: () -> Label) {
    self.name = name
    self.file = file
    self.label = label()
  }
}

extension DownloadLink: PrimitiveView {
  package func resolve(in scope: Scope) -> [Output] {
    let path = scope.owner.renderer.images.path(of: file)
    let link = Element(
      id: scope.id, tag: "a", attributes: ["href": path, "download": name, "data-button": ""])
    return [.element(link, scope.child(.label).resolve(label))]
  }
}
