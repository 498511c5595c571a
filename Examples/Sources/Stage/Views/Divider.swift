/// A line between two parts of a stack.
public struct Divider: View {
  /// It has no body.
  public typealias Body = Never

  /// Makes the line.
  public init() {}
}

extension Divider: PrimitiveView {
  func resolve(in scope: Scope) -> [Output] {
    [.element(Element(id: scope.id, tag: "hr"), [])]
  }
}
