/// Views on top of each other.
public struct ZStack<Content: View>: View {
  private let layout: StackLayout
  private let content: Content

  /// Stacks the views of a closure.
  public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {
    layout = StackLayout(axis: .depth, alignment: alignment, spacing: 0)
    self.content = content()
  }
}

extension ZStack: PrimitiveView {
  package func resolve(in scope: Scope) -> [Output] {
    layout.resolve(content, in: scope)
  }
}
