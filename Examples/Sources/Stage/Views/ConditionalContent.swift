/// One of two views; each branch has an identity of its own.
public struct ConditionalContent<First: View, Second: View>: View {
  enum Branch {
    case first(First)
    case second(Second)
  }

  let branch: Branch
}

extension ConditionalContent: ViewList {
  func forEachChild(in scope: Scope, _ visit: (any View, Scope) -> Void) {
    switch branch {
    case .first(let content): scope.child(.index(0)).forEachChild(of: content, visit)
    case .second(let content): scope.child(.index(1)).forEachChild(of: content, visit)
    }
  }
}

extension Optional: View where Wrapped: View {
}

extension Optional: PrimitiveView, ViewList where Wrapped: View {
  func forEachChild(in scope: Scope, _ visit: (any View, Scope) -> Void) {
    if let content = self { scope.child(.content).forEachChild(of: content, visit) }
  }
}
