/// A line of text that fills its room: the letters are as large as fits.
public struct FittedText: View {
  /// It has no body.
  public typealias Body = Never

  private let string: String

  /// Shows a string.
  public init(_ string: some StringProtocol) {
    self.string = String(string)
  }
}

extension FittedText: PrimitiveView {
  func resolve(in scope: Scope) -> [Output] {
    let id = scope.id
    let drawing = Element(id: id, tag: "svg", attributes: ["class": "fitted"])
    let text = Element(id: id + "t", tag: "text", text: string)
    return [.element(drawing, [.element(text, [])])]
  }
}
