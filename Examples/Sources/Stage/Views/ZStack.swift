/// Views on top of each other.
public struct ZStack<Content: View>: View {
  let layout: StackLayout
  let content: Content

  /// Stacks the views of a closure.
  public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {
    layout = StackLayout(axis: .depth, alignment: alignment, spacing: 0)
    self.content = content()
  }
}

extension ZStack: Stack {}
