/// Several views beside each other, each known by its place.
public struct TupleView<each Content: View>: View {
  private let content: (repeat each Content)

  init(_ content: repeat each Content) {
    self.content = (repeat each content)
  }
}

extension TupleView: ViewList {
  func forEachChild(in scope: Scope, _ visit: (any View, Scope) -> Void) {
    var index = 0
    for child in repeat each content {
      scope.child(.index(index)).forEachChild(of: child, visit)
      index += 1
    }
  }
}
