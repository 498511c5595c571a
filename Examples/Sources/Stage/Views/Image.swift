/// A symbol, known by its name and as large as the text around it.
public struct Image: View {
  /// It has no body.
  public typealias Body = Never

  private let systemName: String

  /// Shows a symbol; a square stands for a name that Stage does not know.
  public init(systemName: String) {
    self.systemName = systemName
  }
}

extension Image: PrimitiveView {
  func resolve(in scope: Scope) -> [Output] {
    let id = scope.id
    let symbol = Symbol(named: systemName)
    let path = Element(id: id + "p", tag: "path", attributes: ["d": symbol.path])
    let svg = Element(
      id: id + "s", tag: "svg",
      attributes: [
        "viewBox": "0 0 24 24", "aria-hidden": "true",
        "class": symbol.isFilled ? "symbol filled" : "symbol",
      ])
    let box = Element(id: id, tag: "span", attributes: ["class": "image"])
    return [.element(box, [.element(svg, [.element(path, [])])])]
  }
}
