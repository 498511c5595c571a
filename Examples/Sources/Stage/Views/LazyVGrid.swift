public import Foundation

/// Views in rows of as many as there is room for.
public struct LazyVGrid<Content: View>: View {
  /// It has no body.
  public typealias Body = Never

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

extension LazyVGrid: PrimitiveView {
  func resolve(in scope: Scope) -> [Output] {
    let element = Element(
      id: scope.id, attributes: ["class": "grid"],
      style: [
        "grid-template-columns":
          "repeat(auto-fill, minmax(min(100%, \(px(column.minimum))), 1fr))", "gap": px(spacing),
      ])
    return [.element(element, scope.child(.content).resolve(content))]
  }
}
