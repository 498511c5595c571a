/// What a view shows: elements of the page, or the place of another view.
package enum Output {
  case page(PageElement)
  /// An element with the places of other views in it, which are evaluated later and by themselves.
  indirect case open(Element, [Output])
  case node(ViewNode)

  @MainActor
  package static func element(_ element: Element, _ inner: [Output] = []) -> Output {
    var children: [PageElement] = []
    children.reserveCapacity(inner.count)
    for output in inner {
      guard case .page(let child) = output else { return .open(element, inner) }
      children.append(child)
    }
    return .page(element.laidOut(around: children))
  }

  /// Adds what a modifier says to the element, or to those of the view.
  @MainActor
  func merging(_ outer: Element) -> Output {
    switch self {
    case .page(let page):
      page.element.merge(outer)
      return self
    case .open(var element, let inner):
      element.merge(outer)
      return .open(element, inner)
    case .node: return .open(outer, [self])
    }
  }

  /// The elements of the page, with sizes and exact places where guides ask for them.
  @MainActor
  func laidOut() -> [PageElement] {
    switch self {
    case .page(let page): return [page]
    case .node(let node): return node.laidOut()
    case .open(let element, let inner):
      let children = inner.flatMap { $0.laidOut() }
      if case .merge = element.layout {
        return children.map { $0.replacing { $0.merge(element) } }
      }
      return [element.laidOut(around: children)]
    }
  }
}
