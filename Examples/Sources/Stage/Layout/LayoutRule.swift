import Foundation

/// How an element gets its size, as far as it is known before the page has drawn it.
package enum LayoutRule {
  /// Only the page knows.
  case none
  /// There is no element; what is said of it is said of the one inside.
  case merge
  /// As large as the one inside, with this much around it.
  case padding(EdgeInsets)
  /// Of a fixed size, in the directions where there is one.
  case frame(width: CGFloat?, height: CGFloat?)
  case stack(StackLayout)
}

extension Element {
  @MainActor
  func laidOut(around children: [PageElement]) -> PageElement {
    let inner = children.count == 1 ? children[0].size : nil
    switch layout {
    case .none, .merge:
      return PageElement(self, children: children)
    case .padding(let insets):
      let size = inner.map {
        CGSize(
          width: $0.width + insets.leading + insets.trailing,
          height: $0.height + insets.top + insets.bottom)
      }
      return PageElement(self, size: size, children: children)
    case .frame(let width, let height):
      let (width, height) = (width ?? inner?.width, height ?? inner?.height)
      let size = width.flatMap { width in height.map { CGSize(width: width, height: $0) } }
      return PageElement(self, size: size, children: children)
    case .stack(let layout):
      return layout.placed(self, children)
    }
  }
}
