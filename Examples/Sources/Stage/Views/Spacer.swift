/// Room that takes what its stack has left.
public struct Spacer: View {
  /// It has no body.
  public typealias Body = Never

  /// Makes the room.
  public init() {}
}

extension Spacer: PrimitiveView {
  func resolve(in scope: Scope) -> [Output] {
    [.element(Element(id: scope.id, attributes: ["class": "spacer"]), [])]
  }
}
