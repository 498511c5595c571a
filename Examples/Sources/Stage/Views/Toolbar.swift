/// A bar of controls that stays at an edge of the window.
public struct Toolbar<Content: View>: View {
  /// Where a bar stays.
  public enum Placement: String, Sendable {
    /// Above everything.
    case top
    /// Below everything.
    case bottom
  }

  private let placement: Placement
  private let label: String
  private let content: Content

  /// Makes a bar, with what a screen reader calls it.
  public init(
    _ placement: Placement, label: some StringProtocol, @ViewBuilder content: () -> Content
  ) {
    self.placement = placement
    self.label = String(label)
    self.content = content()
  }
}

extension Toolbar: PrimitiveView {
  package func resolve(in scope: Scope) -> [Output] {
    let element = Element(
      id: scope.id,
      attributes: [
        "class": "toolbar \(placement.rawValue)", "role": "toolbar", "aria-label": label,
      ])
    return [.element(element, scope.child(.content).resolve(content))]
  }
}
