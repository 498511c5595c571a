/// Views that are shown once the user opens them.
public struct DisclosureGroup<Content: View>: View {
  private let title: String
  private let content: Content

  /// Makes a group of what it is called and what is in it.
  public init(_ title: some StringProtocol, @ViewBuilder content: () -> Content) {
    self.title = String(title)
    self.content = content()
  }
}

extension DisclosureGroup: PrimitiveView {
  package func resolve(in scope: Scope) -> [Output] {
    let summary = Element(id: scope.child(.label).id, tag: "summary", text: title)
    return [
      .element(
        Element(id: scope.id, tag: "details"),
        [.element(summary, [])] + scope.child(.content).resolve(content))
    ]
  }
}
