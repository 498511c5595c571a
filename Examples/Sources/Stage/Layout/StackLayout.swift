import Foundation

/// Places the children of a stack.
///
/// The page does it where alignments are the ordinary ones. Where a child has set a guide of its own
/// the places are computed here, exactly, from the children's sizes.
package struct StackLayout {
  /// The axes, by the classes of their elements.
  enum Axis: String {
    case horizontal = "h", vertical = "v", depth = "z"
  }

  var axis: Axis
  var alignment: Alignment
  var spacing: CGFloat

  @MainActor
  func placed(_ element: Element, _ children: [PageElement]) -> PageElement {
    let sizes = children.compactMap(\.size)
    guard sizes.count == children.count, !sizes.isEmpty else {
      return PageElement(element, children: children)
    }
    let frames = frames(of: children, sizes)
    let bounds = frames.reduce(frames[0]) { $0.union($1) }
    guard children.contains(where: { !$0.guides.isEmpty }) else {
      return PageElement(element, size: bounds.size, children: children)
    }
    var element = element
    element.style["width"] = px(bounds.width)
    element.style["height"] = px(bounds.height)
    element.style["position"] = "relative"
    let placed = zip(children, frames).map { child, frame in
      child.replacing {
        $0.style["position"] = "absolute"
        $0.style["left"] = px(frame.minX - bounds.minX)
        $0.style["top"] = px(frame.minY - bounds.minY)
      }
    }
    return PageElement(element, size: bounds.size, children: placed)
  }

  /// Where each child is when the stack's guides are at zero.
  @MainActor
  private func frames(of children: [PageElement], _ sizes: [CGSize]) -> [CGRect] {
    var next: CGFloat = 0
    return zip(children, sizes).map { child, size in
      let dimensions = ViewDimensions(size, guides: child.guides)
      var origin = CGPoint(
        x: -dimensions[alignment.horizontal], y: -dimensions[alignment.vertical])
      switch axis {
      case .horizontal:
        origin.x = next
        next += size.width + spacing
      case .vertical:
        origin.y = next
        next += size.height + spacing
      case .depth:
        break
      }
      return CGRect(origin: origin, size: size)
    }
  }
}
