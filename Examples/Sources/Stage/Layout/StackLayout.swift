import Foundation

/// Places the children of a stack.
///
/// The page does it where alignments are the ordinary ones. Where a child has set a guide of its own
/// the places are computed here, exactly, from the children's sizes.
struct StackLayout {
  enum Axis {
    case horizontal, vertical, depth
  }

  var axis: Axis
  var alignment: Alignment
  var spacing: CGFloat

  @MainActor
  func place(_ element: inout Element) {
    let sizes = element.children.compactMap(\.size)
    guard sizes.count == element.children.count, !sizes.isEmpty else { return }
    let frames = frames(of: element.children, sizes)
    let bounds = frames.reduce(frames[0]) { $0.union($1) }
    element.size = bounds.size
    guard element.children.contains(where: { !$0.guides.isEmpty }) else { return }
    element.style.merge(
      ["width": px(bounds.width), "height": px(bounds.height), "position": "relative"]
    ) { _, exact in exact }
    for (index, frame) in frames.enumerated() {
      element.children[index].style.merge([
        "position": "absolute",
        "left": px(frame.minX - bounds.minX),
        "top": px(frame.minY - bounds.minY),
      ]) { _, exact in exact }
    }
  }

  /// Where each child is when the stack's guides are at zero.
  @MainActor
  private func frames(of children: [Element], _ sizes: [CGSize]) -> [CGRect] {
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
