/// A line or more of text.
public struct Text: View {
  /// It has no body.
  public typealias Body = Never

  private let string: String

  /// Shows a string.
  public init(_ string: some StringProtocol) {
    self.string = String(string)
  }
}

extension Text: PrimitiveView {
  func resolve(in scope: Scope) -> [Output] {
    [.element(Element(id: scope.id, tag: "span", text: string), [])]
  }
}
