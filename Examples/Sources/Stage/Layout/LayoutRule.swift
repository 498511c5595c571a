import Foundation

/// How an element gets its size, as far as it is known before the page has drawn it.
enum LayoutRule {
  /// Only the page knows.
  case none
  /// There is no element; what is said of it is said of the one inside.
  case merge
  /// As large as the one inside, with this much around it.
  case padding(EdgeInsets)
  /// Of a fixed size, in the directions where there is one.
  case frame(width: CGFloat?, height: CGFloat?)
  case stack(StackLayout)

  var hasElement: Bool {
    if case .merge = self { false } else { true }
  }
}

extension Output {
  /// The elements of the page, with sizes and exact places where guides ask for them.
  @MainActor
  func laidOut() -> [Element] {
    switch self {
    case .node(let node):
      return node.outputs.flatMap { $0.laidOut() }
    case .element(var element, let outputs):
      element.children = outputs.flatMap { $0.laidOut() }
      let inner = element.children.count == 1 ? element.children[0].size : nil
      switch element.layout {
      case .none:
        break
      case .merge:
        return element.children.map { child in
          var child = child
          child.merge(element)
          return child
        }
      case .padding(let insets):
        element.size = inner.map {
          CGSize(
            width: $0.width + insets.leading + insets.trailing,
            height: $0.height + insets.top + insets.bottom)
        }
      case .frame(let width, let height):
        if let width = width ?? inner?.width, let height = height ?? inner?.height {
          element.size = CGSize(width: width, height: height)
        }
      case .stack(let layout):
        layout.place(&element)
      }
      return [element]
    }
  }
}
