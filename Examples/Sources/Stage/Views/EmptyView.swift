/// A view that shows nothing.
public struct EmptyView: View {
  /// Makes a view that shows nothing.
  public init() {}
}

extension EmptyView: ViewList {
  func forEachChild(in scope: Scope, _ visit: (any View, Scope) -> Void) {}
}
