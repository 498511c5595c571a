/// A button that saves something where the browser keeps what is downloaded.
public struct DownloadLink<Label: View>: View {
  /// It has no body.
  public typealias Body = Never

  private let name: String
  private let file: ImageFile?
  private let label: Label

  /// Makes a button that saves a file of the app under a name.
  public init(_ file: ImageFile, named name: String, @ViewBuilder label: () -> Label) {
    self.name = name
    self.file = file
    self.label = label()
  }

  /// Makes a button that saves a picture of the board which the window works on, as PNG.
  public init(boardNamed name: String, @ViewBuilder label: () -> Label) {
    self.name = name
    file = nil
    self.label = label()
  }
}

extension DownloadLink: PrimitiveView {
  func resolve(in scope: Scope) -> [Output] {
    let path = file.map { scope.owner.renderer.images.path(of: $0) }
    let attributes =
      path.map { ["href": $0, "download": name] } ?? ["href": "#", "data-picture": name]
    let link = Element(
      id: scope.id, tag: "a", attributes: attributes.merging(["data-button": ""]) { old, _ in old })
    return [.element(link, scope.child(.label).resolve(label))]
  }
}
