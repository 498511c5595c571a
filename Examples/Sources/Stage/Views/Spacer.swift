/// Room that takes what its stack has left.
public struct Spacer: View {
  /// Makes the room.
  public init() {}
}

extension Spacer: PrimitiveView {
  package func resolve(in scope: Scope) -> [Output] {
    [.element(Element(id: scope.id, attributes: ["class": "spacer"]), [])]
  }
}
