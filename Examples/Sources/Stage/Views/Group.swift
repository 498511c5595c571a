/// Several views treated as one, without a layout of its own.
public struct Group<Content: View>: View {
  private let content: Content

  /// Groups the views of a closure.
  public init(@ViewBuilder content: () -> Content) {
    self.content = content()
  }
}

extension Group: ViewList {
  func forEachChild(in scope: Scope, _ visit: (any View, Scope) -> Void) {
    scope.child(.content).forEachChild(of: content, visit)
  }
}
