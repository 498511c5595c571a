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
  func laidOut() -> [PageElement] {
    switch self {
    case .node(let node):
      return node.laidOut()
    case .element(let element, let outputs):
      let children = outputs.flatMap { $0.laidOut() }
      let inner = children.count == 1 ? children[0].size : nil
      switch element.layout {
      case .none:
        return [PageElement(element, children: children)]
      case .merge:
        return children.map { $0.replacing { $0.merge(element) } }
      case .padding(let insets):
        let size = inner.map {
          CGSize(
            width: $0.width + insets.leading + insets.trailing,
            height: $0.height + insets.top + insets.bottom)
        }
        return [PageElement(element, size: size, children: children)]
      case .frame(let width, let height):
        let (width, height) = (width ?? inner?.width, height ?? inner?.height)
        let size = width.flatMap { width in height.map { CGSize(width: width, height: $0) } }
        return [PageElement(element, size: size, children: children)]
      case .stack(let layout):
        return [layout.placed(element, children)]
      }
    }
  }
}
