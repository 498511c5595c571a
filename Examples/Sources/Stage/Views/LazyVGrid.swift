public import Foundation

/// Views in rows of as many as there is room for; of many views of one height only those near the ones
/// in view are made.
public struct LazyVGrid<Content: View>: View {
  private let column: GridItem
  private let spacing: CGFloat
  private let content: Content

  /// Lays the views of a closure out in columns.
  public init(
    columns: GridItem, spacing: CGFloat = 8, @ViewBuilder content: () -> Content
  ) {
    column = columns
    self.spacing = spacing
    self.content = content()
  }
}

/// Which of a grid's views are made.
private final class MadeRange: Slot {
  let range = ObservedValue(0..<16)
}

extension LazyVGrid: PrimitiveView {
  package func resolve(in scope: Scope) -> [Output] {
    var element = Element(
      id: scope.id, attributes: ["class": "grid"],
      style: [
        "grid-template-columns":
          "repeat(auto-fill, minmax(min(100%, \(px(column.minimum))), 1fr))", "gap": px(spacing),
      ])
    let inner = scope.child(.content)
    let made = scope.child(.label).slot { MadeRange() }.range
    guard let list = content as? any IndexedViewList, list.count > 16 else {
      return [.element(element, inner.resolve(content))]
    }
    let range = made.value.clamped(to: 0..<list.count)
    element.attributes["data-count"] = "\(list.count)"
    element.attributes["data-first"] = "\(range.lowerBound)"
    element.on(.range) { event in
      guard let first = event.numbers.first.flatMap({ UInt32(exactly: $0) }),
        let count = event.numbers.last.flatMap({ UInt16(exactly: $0) })
      else { return }
      made.value = Int(first)..<Int(first) + Int(count)
    }
    var outputs: [Output] = []
    list.forEachChild(in: inner, at: range) { outputs += $1.resolve($0) }
    return [.element(element, outputs)]
  }
}
