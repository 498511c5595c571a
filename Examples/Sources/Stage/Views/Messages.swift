/// What the app has to say: above the content and the sheets, near the window's lower edge.
public struct Messages<Content: View>: View {
  private let content: Content

  /// Shows each of the views as a message, which a screen reader says.
  public init(@ViewBuilder content: () -> Content) {
    self.content = content()
  }
}

extension Messages: PrimitiveView {
  package func resolve(in scope: Scope) -> [Output] {
    let element = Element(
      id: scope.id, attributes: ["class": "messages", "role": "status", "popover": "manual"])
    return [.element(element, scope.child(.content).resolve(content))]
  }
}
